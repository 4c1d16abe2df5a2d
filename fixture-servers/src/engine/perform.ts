/** Performs lists of actions, one after the other, until one suspends the list or ends the process. */
import type { Action, FrameOptions } from '../scenario/schema.ts';
import { errorText, INTERNAL_ERROR, jsonText, notificationText, requestText, resultText } from '../jsonrpc/message.ts';
import { defaultAnswer } from './answers.ts';
import { MAIN_EXCHANGE, type EngineRecord, type Exchange } from './events.ts';
import { performHttp } from './perform-http.ts';
import { MAX_SUSPENDED, type EngineState, type Run } from './state.ts';
import { createToolList } from './tool-list.ts';

/** Goes on with a list of actions from where it stands. */
export function advance(state: EngineState, run: Run): void {
  while (run.next < run.actions.length && state.phase === 'live') {
    const action = run.actions[run.next];
    run.next += 1;
    if (action === undefined) break;
    record(state, { kind: 'fault', rule: run.rule, action: Object.keys(action)[0] ?? '', index: run.next - 1 });
    if (perform(state, run, action) === 'suspended') return;
  }
  if (run.next < run.actions.length || state.phase !== 'live') return;
  if (run.cause === 'input-end') finish(state, run.exchange);
  else if (run.cause === 'message') settle(state, run.exchange);
}

/** The script is through with a message; on stdio nobody waits to hear it. */
export function settle(state: EngineState, exchange: Exchange): void {
  if (exchange !== MAIN_EXCHANGE) state.effects.push({ type: 'settled', exchange });
}

/** The client has ended its input, and the script has nothing more to say about it. */
export function finish(state: EngineState, exchange: Exchange): void {
  if (state.ignoreTerm) {
    settle(state, exchange);
    return;
  }
  state.phase = 'ended';
  state.effects.push({ type: 'finish', exchange });
}

/** Ends the process with a code; nothing is heard after it. */
export function end(state: EngineState, code: number): void {
  state.phase = 'ended';
  state.effects.push({ type: 'exit', code });
}

/** Adds a record of the trace. */
export function record(state: EngineState, entry: EngineRecord): void {
  state.effects.push({ type: 'record', record: entry });
}

type Outcome = 'done' | 'suspended';

function perform(state: EngineState, run: Run, action: Action): Outcome {
  if ('delay' in action) return suspend(state, run, (token) => ({ type: 'timer', token, delayMs: action.delay }));
  if ('hold' in action) return hold(state, run, action.hold);
  if ('spawn' in action) return suspend(state, run, (token) => ({ type: 'spawn', token, options: action.spawn }));
  if ('default' in action) answerDefault(state, run, action.default);
  else if ('reply' in action) answer(state, run, action.reply, (id) => resultText(id, jsonText(action.reply.result)));
  else if ('error' in action) {
    const { code, message, data } = action.error;
    answer(state, run, action.error, (id) => errorText(id, code, message, data));
  } else if ('oversize' in action) answer(state, run, action.oversize, (id) => oversize(id, action.oversize));
  else if ('notify' in action) {
    send(state, run.exchange, notificationText(action.notify.method, action.notify.params), action.notify.frame);
  } else if ('request' in action) {
    const { id, method, params, frame } = action.request;
    send(state, run.exchange, requestText(id, method, params), frame);
  } else if ('raw' in action) {
    const bytes = action.raw.base64 === undefined ? Buffer.from(action.raw.text ?? '') : Buffer.from(action.raw.base64, 'base64');
    state.effects.push({ type: 'raw', bytes, exchange: run.exchange, to: action.raw.to });
  } else if ('setTools' in action) setTools(state, action.setTools);
  else if ('stderr' in action) {
    state.effects.push({ type: 'stderr', text: action.stderr.text, times: action.stderr.times ?? 1 });
  } else if ('exit' in action) end(state, action.exit);
  else if ('kill' in action) {
    state.phase = 'ended';
    state.effects.push({ type: 'kill', signal: action.kill });
  } else if ('hang' in action) {
    state.phase = 'hung';
    state.effects.push({ type: 'hang' });
  } else if ('ignoreTerm' in action) {
    state.ignoreTerm = true;
    state.effects.push({ type: 'ignore-term' });
  } else if ('drop' in action) state.effects.push({ type: 'drop', exchange: run.exchange });
  else performHttp(state, run, action);
  return 'done';
}

type Effects = EngineState['effects'];

function suspend(state: EngineState, run: Run, effect: (token: number) => Effects[number]): Outcome {
  if (isFull(state, run)) return 'suspended';
  const token = state.nextToken;
  state.nextToken += 1;
  state.suspended += 1;
  state.waiting.set(token, run);
  state.effects.push(effect(token));
  return 'suspended';
}

function hold(state: EngineState, run: Run, name: string): Outcome {
  if (isFull(state, run)) return 'suspended';
  state.suspended += 1;
  const held = state.held.get(name);
  if (held === undefined) state.held.set(name, [run]);
  else held.push(run);
  record(state, { kind: 'hold', hold: name, event: 'held' });
  return 'suspended';
}

/** At the bound the request is answered with an error, so that its caller learns why, and its list is given up. */
function isFull(state: EngineState, run: Run): boolean {
  if (state.suspended < MAX_SUSPENDED) return false;
  answer(state, run, {}, (id) => errorText(id, INTERNAL_ERROR, `more than ${MAX_SUSPENDED} lists of actions wait`));
  return true;
}

function answerDefault(state: EngineState, run: Run, options: { id?: unknown; frame?: FrameOptions | undefined }): void {
  const { origin } = run;
  if (origin !== undefined) answer(state, run, options, (id) => defaultAnswer(state, origin, id));
  else if (run.cause === 'http') state.effects.push({ type: 'proceed', exchange: run.exchange });
  else if (run.cause === 'input-end') finish(state, run.exchange);
}

/** Sends an answer: under the id the action names, else that of the request; to a notification there is none. */
function answer(
  state: EngineState,
  run: Run,
  options: { id?: unknown; frame?: FrameOptions | undefined },
  text: (id: unknown) => string,
): void {
  const id = 'id' in options ? { value: options.id } : run.origin?.id;
  if (id === undefined) return;
  state.effects.push({ type: 'send', text: text(id.value), exchange: run.exchange, frame: options.frame, answers: id });
}

function send(state: EngineState, exchange: Exchange, text: string, frame: FrameOptions | undefined): void {
  state.effects.push({ type: 'send', text, exchange, frame });
}

function oversize(id: unknown, { bytes, of }: Extract<Action, { oversize: unknown }>['oversize']): string {
  if (of === 'blocks') return resultText(id, `{"content":[${'{},'.repeat(Math.max(0, Math.floor((bytes - resultText(id, '{"content":[{}]}').length) / 3)))}{}]}`);
  const before = resultText(id, '{"content":[{"type":"text","text":""}]}');
  return resultText(id, `{"content":[{"type":"text","text":"${'x'.repeat(Math.max(0, bytes - before.length))}"}]}`);
}

function setTools(state: EngineState, change: Extract<Action, { setTools: unknown }>['setTools']): void {
  const list = 'list' in change ? state.program.list(change.list) : createToolList(change.tools);
  // A name that no list has was refused when the scenario or the actions were loaded; a later program may have lost it.
  state.tools = list ?? createToolList([]);
}

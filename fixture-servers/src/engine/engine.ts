/**
 * The engine: `(state, event) → effects`, the same for every carrier. It reads no clock, opens nothing and never throws
 * on what a client sends.
 */
import { errorText, INVALID_REQUEST, isJsonObject, member, PARSE_ERROR, type Parsed } from '../jsonrpc/message.ts';
import { defaultAnswer } from './answers.ts';
import { MAIN_EXCHANGE, type Effect, type EngineEvent, type Exchange } from './events.ts';
import { claim, fire, startDelays } from './begin.ts';
import { onDo, onProgram, onRelease, onSignal } from './control.ts';
import { advance, finish, record, settle } from './perform.ts';
import { selectRule } from './program.ts';
import type { EngineState, Origin } from './state.ts';

/** What one step gives. */
export interface Step {
  /** The state that was passed in, changed in place. */
  readonly state: EngineState;
  /** To be performed in this order. */
  readonly effects: readonly Effect[];
  /** Why a control command could not be obeyed; then nothing was changed. */
  readonly refused?: string;
}

/** Takes one event. */
export function step(state: EngineState, event: EngineEvent): Step {
  const effects: Effect[] = [];
  state.effects = effects;
  const refused = take(state, event);
  return refused === undefined ? { state, effects } : { state, effects, refused };
}

function take(state: EngineState, event: EngineEvent): string | undefined {
  switch (event.type) {
    case 'message':
      if (state.phase === 'live') onMessage(state, event.parsed, event.exchange);
      return undefined;
    case 'spawn':
      onSpawn(state, event.sessions ?? false);
      return undefined;
    case 'session':
      onSession(state, event.incarnation);
      return undefined;
    case 'restarted':
      if (state.program.scenario.countFrom === 'spawn' && !state.claiming) claim(state);
      return undefined;
    case 'http':
      onHttp(state, event);
      return undefined;
    case 'input-end':
      onInputEnd(state, event.exchange ?? MAIN_EXCHANGE);
      return undefined;
    case 'timer':
    case 'spawned':
      onToken(state, event.token);
      return undefined;
    case 'claimed':
      onClaimed(state, event.incarnation);
      return undefined;
    case 'release':
      return onRelease(state, event.hold);
    case 'signal':
      return onSignal(state, event.name);
    case 'do':
      return onDo(state, event.actions);
    default:
      return onProgram(state, event);
  }
}

function onSpawn(state: EngineState, sessions: boolean): void {
  if (state.phase !== 'new') return;
  state.phase = 'live';
  state.hasSessions = sessions;
  startDelays(state);
  if (state.program.scenario.countFrom === 'spawn') claim(state);
  else fire(state, state.program.spawn);
}

function onSession(state: EngineState, incarnation: number): void {
  if (state.phase !== 'new') return;
  state.phase = 'live';
  state.incarnation = incarnation;
  startDelays(state);
}

function onHttp(state: EngineState, event: Extract<EngineEvent, { type: 'http' }>): void {
  if (state.phase !== 'live') return;
  const { exchange, incarnation, method, origin } = event;
  const occasion = { params: undefined, incarnation, http: { method, origin } };
  const rule = selectRule(state.program.http, state.counters, occasion);
  if (rule === undefined) state.effects.push({ type: 'proceed', exchange });
  else advance(state, { rule: rule.id, actions: rule.actions, cause: 'http', origin: undefined, exchange, next: 0 });
}

function onClaimed(state: EngineState, incarnation: number): void {
  if (!state.claiming) return;
  state.claiming = false;
  state.incarnation = incarnation;
  record(state, { kind: 'process', event: 'incarnation' });
  if (state.program.scenario.countFrom === 'spawn') fire(state, state.program.spawn);
  for (const { parsed, exchange } of state.unclaimed.splice(0)) {
    if (state.phase === 'live') dispatch(state, parsed, exchange);
  }
}

function onMessage(state: EngineState, parsed: Parsed, exchange: Exchange): void {
  if (state.claiming) {
    state.unclaimed.push({ parsed, exchange });
  } else if (state.incarnation === 0 && parsed.ok && isJsonObject(parsed.value) && parsed.value['method'] === 'initialize') {
    claim(state);
    state.unclaimed.push({ parsed, exchange });
  } else {
    dispatch(state, parsed, exchange);
  }
}

function dispatch(state: EngineState, parsed: Parsed, exchange: Exchange): void {
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    const text = parsed.ok ? errorText(null, INVALID_REQUEST, 'Invalid request') : errorText(null, PARSE_ERROR, 'Parse error');
    refuse(state, exchange, text);
    return;
  }
  const message = parsed.value;
  const method = member(message, 'method');
  // What has no method is the client's answer to a request of ours: it is in the trace, and that is all.
  if (typeof method !== 'string') {
    settle(state, exchange);
    return;
  }
  const id = Object.hasOwn(message, 'id') ? { value: message['id'] } : undefined;
  if (id !== undefined && typeof id.value === 'object' && id.value !== null) {
    refuse(state, exchange, errorText(null, INVALID_REQUEST, 'Invalid request: the id is no scalar'));
    return;
  }
  const origin: Origin = { exchange, method, params: member(message, 'params'), id };
  const rules = state.program.byMethod.get(method);
  if (rules !== undefined && fire(state, rules, origin)) return;
  if (id !== undefined) state.effects.push({ type: 'send', text: defaultAnswer(state, origin, id.value), exchange, answers: id });
  settle(state, exchange);
}

/** Answers what is no request under the id null. */
function refuse(state: EngineState, exchange: Exchange, text: string): void {
  state.effects.push({ type: 'send', text, exchange, answers: { value: null } });
  settle(state, exchange);
}

function onInputEnd(state: EngineState, exchange: Exchange): void {
  if (state.phase !== 'live') return;
  const rule = selectRule(state.program.inputEnd, state.counters, { params: undefined, incarnation: state.incarnation });
  if (rule !== undefined) {
    advance(state, { rule: rule.id, actions: rule.actions, cause: 'input-end', origin: undefined, exchange, next: 0 });
  } else finish(state, exchange);
}

function onToken(state: EngineState, token: number): void {
  const delayMs = state.delays.get(token);
  if (delayMs !== undefined) {
    state.delays.delete(token);
    if (state.phase === 'live') fire(state, state.program.byDelay.get(delayMs) ?? []);
    return;
  }
  const run = state.waiting.get(token);
  if (run === undefined) return;
  state.waiting.delete(token);
  state.suspended -= 1;
  advance(state, run);
}

export { CONTROL_RULE } from './control.ts';

/**
 * The engine: `(state, event) → effects`, the same for every carrier. It reads no clock, opens nothing and never throws
 * on what a client sends.
 */
import { errorText, INVALID_REQUEST, isJsonObject, member, PARSE_ERROR, type Parsed } from '../jsonrpc/message.ts';
import type { Action } from '../scenario/schema.ts';
import { defaultAnswer } from './answers.ts';
import { MAIN_EXCHANGE, type Effect, type EngineEvent, type Exchange } from './events.ts';
import { advance, finish, record, settle } from './perform.ts';
import { needsRequest } from './targets.ts';
import { compileProgram, selectRule, type CompiledRule } from './program.ts';
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

/** The name under which actions of the control channel stand in the trace. */
export const CONTROL_RULE = 'control';

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

/** Asks for the number of this incarnation. What depends on it waits for `claimed`. */
function claim(state: EngineState): void {
  state.claiming = true;
  state.effects.push({ type: 'claim' });
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

function startDelays(state: EngineState): void {
  state.delays.clear();
  // `after` counts from the start of what has the tools: the session, where there are any.
  if (state.hasSessions) return;
  for (const delayMs of state.program.byDelay.keys()) {
    const token = state.nextToken;
    state.nextToken += 1;
    state.delays.set(token, delayMs);
    state.effects.push({ type: 'timer', token, delayMs });
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
    state.effects.push({ type: 'send', text, exchange });
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
    state.effects.push({ type: 'send', text: errorText(null, INVALID_REQUEST, 'Invalid request: the id is no scalar'), exchange });
    return;
  }
  const origin: Origin = { exchange, method, params: member(message, 'params'), id };
  const rules = state.program.byMethod.get(method);
  if (rules !== undefined && fire(state, rules, origin)) return;
  if (id !== undefined) state.effects.push({ type: 'send', text: defaultAnswer(state, origin, id.value), exchange, answers: id });
  settle(state, exchange);
}

/** Performs the first rule that matches; says whether there was one. */
function fire(state: EngineState, rules: readonly CompiledRule[], origin?: Origin): boolean {
  const rule = selectRule(rules, state.counters, { params: origin?.params, incarnation: state.incarnation });
  if (rule === undefined) return false;
  const cause = origin === undefined ? 'other' : 'message';
  advance(state, { rule: rule.id, actions: rule.actions, cause, origin, exchange: origin?.exchange ?? MAIN_EXCHANGE, next: 0 });
  return true;
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

function onRelease(state: EngineState, hold: string): string | undefined {
  const held = state.held.get(hold);
  if (held === undefined) {
    const names = [...state.held.keys()].map((name) => `"${name}"`).join(', ');
    return `nothing waits at the hold "${hold}"; held now: ${names || 'none'}. Await the record that it is held first.`;
  }
  state.held.delete(hold);
  state.suspended -= held.length;
  for (const run of held) {
    record(state, { kind: 'hold', hold, event: 'released' });
    advance(state, run);
  }
  return undefined;
}

function onSignal(state: EngineState, name: string): string | undefined {
  const rules = state.program.bySignal.get(name);
  if (rules === undefined) {
    const names = [...state.program.bySignal.keys()].map((known) => `"${known}"`).join(', ');
    return `no rule waits for the signal "${name}"; known: ${names || 'none'}`;
  }
  if (state.phase === 'live') fire(state, rules);
  return undefined;
}

function onDo(state: EngineState, actions: readonly Action[]): string | undefined {
  for (const action of actions) {
    const problem = problemOf(state, action);
    if (problem !== undefined) return problem;
  }
  if (state.phase === 'ended') return 'the process is ending';
  // A process that hangs is still in the hands of its test: it may be told to end, or to say one thing more.
  const hung = state.phase === 'hung';
  state.phase = 'live';
  advance(state, { rule: CONTROL_RULE, actions, cause: 'other', origin: undefined, exchange: MAIN_EXCHANGE, next: 0 });
  // `advance` changes the phase behind the back of the type checker.
  if (hung && (state.phase as EngineState['phase']) === 'live') state.phase = 'hung';
  return undefined;
}

/** Why an action cannot be performed on its own. */
function problemOf(state: EngineState, action: Action): string | undefined {
  const key = Object.keys(action)[0] ?? '';
  if (needsRequest(action)) return `\`${key}\` is about a request of HTTP, and here is none`;
  if ('default' in action) return '`default` answers a request, and here is none';
  for (const answer of ['reply', 'error', 'oversize']) {
    const body: unknown = key === answer ? Reflect.get(action, key) : undefined;
    if (isJsonObject(body) && !Object.hasOwn(body, 'id')) return `\`${answer}\` answers a request, and here is none; give an \`id\``;
  }
  if ('setTools' in action && 'list' in action.setTools && state.program.list(action.setTools.list) === undefined) {
    return `the scenario has no tool list "${action.setTools.list}" in \`toolLists\``;
  }
  return undefined;
}

function onProgram(state: EngineState, event: Extract<EngineEvent, { type: 'program' }>): string | undefined {
  if (state.phase === 'ended') return 'the process is ending';
  state.program = event.program ?? compileProgram(event.scenario);
  state.tools = state.program.tools;
  state.listPosition = 0;
  if (!event.keepCounts) state.counters.clear();
  if (state.phase === 'live') {
    startDelays(state);
    const isUncounted = state.incarnation === 0 && !state.claiming;
    if (isUncounted && event.scenario.countFrom === 'spawn') claim(state);
  }
  return undefined;
}

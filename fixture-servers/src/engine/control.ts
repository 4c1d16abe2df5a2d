/** What the control channel may tell a state to do. Each command says why it could not be obeyed; then nothing was changed. */
import { isJsonObject } from '../jsonrpc/message.ts';
import type { Action } from '../scenario/schema.ts';
import { claim, fire, startDelays } from './begin.ts';
import { MAIN_EXCHANGE, type EngineEvent } from './events.ts';
import { advance, record } from './perform.ts';
import { compileProgram } from './program.ts';
import type { EngineState } from './state.ts';
import { needsRequest } from './targets.ts';

/** The name under which actions of the control channel stand in the trace. */
export const CONTROL_RULE = 'control';

/** Lets everything go on that waits at a hold. */
export function onRelease(state: EngineState, hold: string): string | undefined {
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

/** Fires the rules that wait for a signal. */
export function onSignal(state: EngineState, name: string): string | undefined {
  const rules = state.program.bySignal.get(name);
  if (rules === undefined) {
    const names = [...state.program.bySignal.keys()].map((known) => `"${known}"`).join(', ');
    return `no rule waits for the signal "${name}"; known: ${names || 'none'}`;
  }
  if (state.phase === 'live') fire(state, rules);
  return undefined;
}

/** Performs actions now. */
export function onDo(state: EngineState, actions: readonly Action[]): string | undefined {
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

/** Replaces rules and tools. */
export function onProgram(state: EngineState, event: Extract<EngineEvent, { type: 'program' }>): string | undefined {
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

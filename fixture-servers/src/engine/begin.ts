/** What begins with a process, a session or a rule. */
import { MAIN_EXCHANGE } from './events.ts';
import { advance } from './perform.ts';
import { selectRule, type CompiledRule } from './program.ts';
import type { EngineState, Origin } from './state.ts';

/** Asks for the number of this incarnation. What depends on it waits for `claimed`. */
export function claim(state: EngineState): void {
  state.claiming = true;
  state.effects.push({ type: 'claim' });
}

/** Starts the timers of the rules that come after a time. */
export function startDelays(state: EngineState): void {
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

/** Performs the first rule that matches; says whether there was one. */
export function fire(state: EngineState, rules: readonly CompiledRule[], origin?: Origin): boolean {
  const rule = selectRule(rules, state.counters, { params: origin?.params, incarnation: state.incarnation });
  if (rule === undefined) return false;
  const cause = origin === undefined ? 'other' : 'message';
  advance(state, { rule: rule.id, actions: rule.actions, cause, origin, exchange: origin?.exchange ?? MAIN_EXCHANGE, next: 0 });
  return true;
}

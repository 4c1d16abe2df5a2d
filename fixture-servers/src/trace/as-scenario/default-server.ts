/** The server of a scenario without rules: what it would answer tells which recorded answers need a rule. */
import { step } from '../../engine/engine.ts';
import { MAIN_EXCHANGE } from '../../engine/events.ts';
import { initialState } from '../../engine/state.ts';
import { isJsonObject, jsonText, member, parseMessage } from '../../jsonrpc/message.ts';
import { checkScenario } from '../../scenario/check.ts';
import type { Action, ScenarioInput } from '../../scenario/schema.ts';
import { canonical } from '../conversation/canonical.ts';
import type { Deed, Turn } from '../conversation/model.ts';

/** A server that is asked along the recording. */
export interface DefaultServer {
  /** Changes its tool list. */
  change(action: Action): void;
  /** Whether it answers this request as it was recorded. Cursors are its own, and only whether there is one counts. */
  answersLike(turn: Turn, deed: Deed): boolean;
}

/** Starts the server of a scenario that has no rules. */
export function createDefaultServer(scenario: ScenarioInput): DefaultServer {
  const state = initialState(checkScenario(scenario));
  /** By recorded cursor: the one this server gave at the same place. */
  const cursors = new Map<string, unknown>();
  step(state, { type: 'spawn' });

  const ask = (turn: Turn): Readonly<Record<string, unknown>> | undefined => {
    const message = { jsonrpc: '2.0', id: 1, method: turn.method, ...(turn.params === undefined ? {} : { params: withOwnCursor(turn, cursors) }) };
    let { effects } = step(state, { type: 'message', parsed: { ok: true, value: message }, exchange: MAIN_EXCHANGE });
    if (effects.some(({ type }) => type === 'claim')) ({ effects } = step(state, { type: 'claimed', incarnation: 1 }));
    for (const effect of effects) {
      const parsed = effect.type === 'send' ? parseMessage(effect.text) : undefined;
      if (parsed?.ok === true && isJsonObject(parsed.value)) return parsed.value;
    }
    return undefined;
  };
  return {
    change(action) {
      step(state, { type: 'do', actions: [action] });
    },
    answersLike(turn, deed) {
      const answer = ask(turn);
      if (deed.kind !== 'answer' || !isJsonObject(deed.message) || answer === undefined) return false;
      const mine = cursorOf(answer);
      const recorded = cursorOf(deed.message);
      if (mine !== undefined && recorded !== undefined) cursors.set(jsonText(recorded), mine);
      return canonical(comparableAnswer(answer)) === canonical(comparableAnswer(deed.message));
    },
  };
}

function cursorOf(answer: Readonly<Record<string, unknown>>): unknown {
  const result = member(answer, 'result');
  return isJsonObject(result) && Array.isArray(member(result, 'tools')) ? member(result, 'nextCursor') : undefined;
}

function withOwnCursor(turn: Turn, cursors: ReadonlyMap<string, unknown>): unknown {
  if (turn.method !== 'tools/list' || !isJsonObject(turn.params) || !Object.hasOwn(turn.params, 'cursor')) return turn.params;
  const own = cursors.get(jsonText(turn.params['cursor']));
  return own === undefined ? turn.params : { ...turn.params, cursor: own };
}

/** Result or error, and of a cursor that there is one. */
function comparableAnswer(answer: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(answer, 'error')) return { error: answer['error'] };
  const { result } = answer;
  return { result: cursorOf(answer) === undefined || !isJsonObject(result) ? result : { ...result, nextCursor: true } };
}

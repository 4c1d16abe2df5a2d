import { printable, shortJson } from '../../trace/printable.ts';
import { canonical, comparable, fits, likeness } from '../../trace/conversation/canonical.ts';
import type { Life, Turn } from '../../trace/conversation/model.ts';
import { isJsonObject } from '../../jsonrpc/message.ts';
import { suggest } from '../../scenario/suggest.ts';

/** Finds what was recorded for what a client says. */
export interface RecordedTurns {
  /** The next recorded turn that is this one: in recorded order, then the last again. */
  take(kind: Turn['kind'], method: string, params: unknown): Taken | undefined;
  /** The recorded request most like one that is not there; and whether the method was recorded at all. */
  nearest(method: string, params: unknown): { readonly text: string; readonly methodKnown: boolean };
}

/** A recorded turn. */
export interface Taken {
  readonly turn: Turn;
  /** It was taken as often as it was recorded before. */
  readonly again: boolean;
}

/** Methods of which the params differ from client to client and the answer does not: matched by name alone. */
const BY_METHOD: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'server/discover']);

/** Placeholders of `scrub` in params: they fit whatever the client has there. */
const SCRUBBED = '[scrubbed-';

interface Entry {
  readonly turns: Turn[];
  next: number;
}

/** Makes the turns of lives ready to be found; those of earlier lives in the list come first. */
export function indexTurns(lives: readonly Life[]): RecordedTurns {
  const exact = new Map<string, Entry>();
  const scrubbed = new Map<string, Entry[]>();
  const byMethod = new Map<string, Turn[]>();
  for (const turn of lives.flatMap((life) => life.turns)) {
    const key = keyOf(turn.kind, turn.method, turn.params);
    let entry = exact.get(key);
    if (entry === undefined) {
      entry = { turns: [], next: 0 };
      exact.set(key, entry);
      if (key.includes(SCRUBBED)) append(scrubbed, `${turn.kind} ${turn.method}`, entry);
    }
    entry.turns.push(turn);
    if (turn.kind === 'request') append(byMethod, turn.method, turn);
  }
  return {
    take(kind, method, params) {
      const live = comparable(params);
      const entry = exact.get(keyOf(kind, method, params))
        ?? scrubbed.get(`${kind} ${method}`)?.find(({ turns }) => fits(comparable(turns[0]?.params), live));
      if (entry === undefined) return undefined;
      const turn = entry.turns[Math.min(entry.next, entry.turns.length - 1)];
      entry.next += 1;
      return turn === undefined ? undefined : { turn, again: entry.next > entry.turns.length };
    },
    nearest(method, params) {
      const same = byMethod.get(method);
      if (same === undefined) {
        const near = suggest(method, [...byMethod.keys()]);
        const turn = near === undefined ? undefined : byMethod.get(near)?.[0];
        return { methodKnown: false, text: turn === undefined ? '' : show(turn) };
      }
      let best = same[0];
      let bestLikeness = -1;
      for (const turn of same) {
        const alike = likeness(turn.params, params);
        if (alike > bestLikeness) [best, bestLikeness] = [turn, alike];
      }
      return { methodKnown: true, text: best === undefined ? '' : show(best) };
    },
  };
}

function keyOf(kind: Turn['kind'], method: string, params: unknown): string {
  return BY_METHOD.has(method) || kind === 'input-end' ? `${kind} ${method}` : `${kind} ${method} ${canonical(comparable(params))}`;
}

function show(turn: Turn): string {
  return `${describe(turn.method, turn.params)} (line ${turn.line} of the trace)`;
}

/** A request in a few words. */
export function describe(method: string, params: unknown): string {
  const value = comparable(params);
  if (value === undefined) return printable(method, 100);
  const isCall = isJsonObject(value) && typeof value['name'] === 'string';
  const text = isCall ? `${String(value['name'])} ${shortJson(value['arguments'])}` : shortJson(value);
  return printable(`${method} ${text}`, 240);
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

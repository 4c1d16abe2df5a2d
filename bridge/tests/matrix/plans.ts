/** What is driven: every cell by itself, and faults one after the other in the life of one server. */
import { faultCells, type FaultCell } from 'mcp-fixture-server';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { DrivenCell } from './drive.ts';

/** One life of a server. */
export interface Plan {
  readonly id: string;
  readonly cells: readonly [DrivenCell, ...DrivenCell[]];
}

/**
 * The faults that are paired, one of each kind: it ends, falls silent, stammers, babbles, answers nobody, says too much, loses
 * a stream, loses the session. What the others do to a bridge is the same.
 */
const PAIRED: ReadonlySet<string> = new Set(['exit', 'hang', 'half a line', 'noise', 'wrong id', 'oversize', 'stream loss', 'session loss']);

/** All cells of the table. */
export const ALL_CELLS: readonly FaultCell[] = faultCells();

/** Each cell that has a scenario. */
export const CELL_PLANS: readonly Plan[] = ALL_CELLS.flatMap((cell) => ('scenario' in cell ? [{ id: cell.id, cells: [cell] }] : []));

/** How servers over HTTP differ: all that the table leaves at its default (event streams, sessions, nothing to resume). */
const HTTP_KINDS: readonly (readonly [string, NonNullable<ScenarioInput['http']>])[] = [
  ['answers in JSON', { answers: 'json' }],
  ['without sessions', { sessions: false }],
  ['with event ids', { eventIds: true, retryMs: 20 }],
];

/** Where such a difference shows: once the connection is there. */
const CONNECTED: readonly string[] = ['listing page 2', 'listing after a change', 'idle', 'call in flight', 'shutdown'];

/**
 * The cells of servers over HTTP once more, each with another kind of server: every phase and every fault meets every kind,
 * though not every three of them meet.
 */
export const KIND_PLANS: readonly Plan[] = CELL_PLANS.flatMap(({ id, cells: [cell] }) => {
  if (cell.carrier !== 'streamable-http' || !CONNECTED.includes(cell.phase)) return [];
  const faults = [...new Set(ALL_CELLS.map(({ fault }) => fault))];
  const [kind, http] = HTTP_KINDS[(CONNECTED.indexOf(cell.phase) + faults.indexOf(cell.fault)) % HTTP_KINDS.length] ?? ['', {}];
  // What is not given out can be neither lost nor ended.
  if (http.sessions === false && (cell.fault === 'session loss' || cell.phase === 'shutdown')) return [];
  return [{ id: `${id}, ${kind}`, cells: [{ ...cell, scenario: { ...cell.scenario, http } }] }];
});

/** Lives in which every ordered pair of the paired faults of a carrier occurs, each while a call is in flight. */
export const PAIR_PLANS: readonly Plan[] = (['stdio', 'streamable-http'] as const).flatMap((carrier) => {
  const paired = CELL_PLANS.flatMap(({ cells }) => cells).filter((cell) => cell.carrier === carrier && cell.phase === 'call in flight' && PAIRED.has(cell.fault));
  return paired.map((first, index) => ({
    id: `one after the other, ${first.fault} and others/${carrier}`,
    // a a b a c a …: each pair with `a` in it, both ways round, and none twice.
    cells: [first, first, ...partners(paired, index).flatMap((other) => [other, first])] as const,
  }));
});

/** With whom the one at `index` is paired, so that all are in the end and no life is much longer than another. */
function partners<Item>(items: readonly Item[], index: number): Item[] {
  return items.filter((_item, other) => {
    const distance = (other - index + items.length) % items.length;
    return distance > 0 && (distance * 2 < items.length || (distance * 2 === items.length && index < other));
  });
}

/** How many ordered pairs the plans contain. */
export function pairsIn(plans: readonly Plan[]): number {
  const pairs = plans.flatMap(({ cells }) => cells.slice(1).map((cell, index) => `${cells[index]?.id ?? ''} ${cell.id}`));
  return new Set(pairs).size;
}

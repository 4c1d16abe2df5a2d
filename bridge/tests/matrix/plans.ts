/** What is driven: every cell by itself, and faults one after the other in the life of one server. */
import { faultCells, type FaultCell } from 'mcp-fixture-server';
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

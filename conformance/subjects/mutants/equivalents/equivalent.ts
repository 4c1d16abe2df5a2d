/**
 * An equivalent: a bridge that does something in another way and breaks nothing (DESIGN.md §6, "The suite proves itself").
 * A check that fails with it judges how a bridge is built, not what it owes.
 */
import type { AdapterFactory } from 'mcp-bridge-conformance/adapter';
import type { Invariant } from 'mcp-bridge-conformance/catalogue';
import type { Mutant } from '../mutant.ts';

/** Is called whenever the other way is taken: one that nobody takes shows nothing. */
export type OnUse = () => void;

/** One equivalent. */
export interface Equivalent {
  /** What is done in another way, `EQUIVALENT/reads-in-bites`. */
  readonly id: `EQUIVALENT/${string}`;
  /** The areas whose checks could take offence; `--full` runs all. */
  readonly areas: readonly Invariant['area'][];
  /** As of a mutant. */
  readonly kind: Mutant['kind'];
  /** Makes the way to a subject that does it so. */
  create(onUse: OnUse): AdapterFactory;
}

/** Declares an equivalent. */
export function equivalent(name: string, rest: Omit<Equivalent, 'id'>): Equivalent {
  return { id: `EQUIVALENT/${name}`, ...rest };
}

/** The members of an object in the opposite order; anything else as it is. */
export function turned<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same members
  return Object.fromEntries(Object.entries(value).toReversed()) as T;
}

/** Settles in a later turn of the event loop. */
export function laterTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

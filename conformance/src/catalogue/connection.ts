import type { Invariant } from './invariant.ts';

/** The invariants of `connection`. */
export const connectionInvariants: readonly Invariant[] = [];

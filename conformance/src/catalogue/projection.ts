import type { Invariant } from './invariant.ts';

/** The invariants of `projection`. */
export const projectionInvariants: readonly Invariant[] = [];

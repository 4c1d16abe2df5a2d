import type { Invariant } from './invariant.ts';

/** The invariants of `host`. */
export const hostInvariants: readonly Invariant[] = [];

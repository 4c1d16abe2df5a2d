import type { Invariant } from './invariant.ts';

/** The invariants of `wire`. */
export const wireInvariants: readonly Invariant[] = [];

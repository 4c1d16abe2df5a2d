import type { Invariant } from './invariant.ts';

/** The invariants of `naming`. */
export const namingInvariants: readonly Invariant[] = [];

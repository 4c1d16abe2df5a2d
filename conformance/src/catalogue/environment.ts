import type { Invariant } from './invariant.ts';

/** The invariants of `environment`. */
export const environmentInvariants: readonly Invariant[] = [];

import type { Invariant } from './invariant.ts';

/** The invariants of `isolation`. */
export const isolationInvariants: readonly Invariant[] = [];

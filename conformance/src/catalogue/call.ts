import type { Invariant } from './invariant.ts';

/** The invariants of `call`. */
export const callInvariants: readonly Invariant[] = [];

import type { Invariant } from './invariant.ts';

/** The invariants of `config`. */
export const configInvariants: readonly Invariant[] = [];

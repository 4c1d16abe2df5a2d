import type { Invariant } from './invariant.ts';

/** The invariants of `generation`. */
export const generationInvariants: readonly Invariant[] = [];

import type { Invariant } from './invariant.ts';

/** The invariants of `discovery`. */
export const discoveryInvariants: readonly Invariant[] = [];

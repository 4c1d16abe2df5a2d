import type { Invariant } from './invariant.ts';

/** What the stateful model judges, whole sequences rather than one rule. */
export const modelInvariants: readonly Invariant[] = [];

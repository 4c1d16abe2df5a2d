import type { Exclusion } from './invariant.ts';

/** Every requirement and report that no invariant cites, with the reason. */
export const exclusions: readonly Exclusion[] = [];

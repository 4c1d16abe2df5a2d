import type { Check } from './check.ts';

/** The checks of `isolation`. */
export const isolationChecks: readonly Check[] = [];

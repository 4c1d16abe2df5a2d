import type { Check } from './check.ts';

/** The checks of `discovery`. */
export const discoveryChecks: readonly Check[] = [];

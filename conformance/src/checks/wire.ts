import type { Check } from './check.ts';

/** The checks of `wire`. */
export const wireChecks: readonly Check[] = [];

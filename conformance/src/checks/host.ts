import type { Check } from './check.ts';

/** The checks of `host`. */
export const hostChecks: readonly Check[] = [];

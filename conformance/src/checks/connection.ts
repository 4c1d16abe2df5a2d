import type { Check } from './check.ts';

/** The checks of `connection`. */
export const connectionChecks: readonly Check[] = [];

import type { Check } from './check.ts';

/** The checks of `config`. */
export const configChecks: readonly Check[] = [];

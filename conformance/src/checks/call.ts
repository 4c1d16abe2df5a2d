import type { Check } from './check.ts';

/** The checks of `call`. */
export const callChecks: readonly Check[] = [];

import type { Check } from './check.ts';

/** The checks of `environment`. */
export const environmentChecks: readonly Check[] = [];

import type { Check } from './check.ts';

/** The checks of `naming`. */
export const namingChecks: readonly Check[] = [];

import type { Check } from '../check.ts';

/** The checks of `model`. */
export const modelChecks: readonly Check[] = [];

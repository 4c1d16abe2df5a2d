import type { Check } from './check.ts';

/** The checks of `generation`. */
export const generationChecks: readonly Check[] = [];

import type { Check } from './check.ts';

/** The checks of `projection`. */
export const projectionChecks: readonly Check[] = [];

import type { Mutant } from '../mutant.ts';

/** The mutants of `discovery`. */
export const discoveryMutants: readonly Mutant[] = [];

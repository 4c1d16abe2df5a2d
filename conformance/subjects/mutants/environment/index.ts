import type { Mutant } from '../mutant.ts';

/** The mutants of `environment`. */
export const environmentMutants: readonly Mutant[] = [];

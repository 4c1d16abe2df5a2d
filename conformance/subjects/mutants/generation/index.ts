import type { Mutant } from '../mutant.ts';

/** The mutants of `generation`. */
export const generationMutants: readonly Mutant[] = [];

import type { Mutant } from '../mutant.ts';

/** The mutants of `model`. */
export const modelMutants: readonly Mutant[] = [];

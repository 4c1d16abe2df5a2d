import type { Mutant } from '../mutant.ts';

/** The mutants of `isolation`. */
export const isolationMutants: readonly Mutant[] = [];

import type { Mutant } from '../mutant.ts';

/** The mutants of `naming`. */
export const namingMutants: readonly Mutant[] = [];

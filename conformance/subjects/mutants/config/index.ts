import type { Mutant } from '../mutant.ts';

/** The mutants of `config`. */
export const configMutants: readonly Mutant[] = [];

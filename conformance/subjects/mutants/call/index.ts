import type { Mutant } from '../mutant.ts';

/** The mutants of `call`. */
export const callMutants: readonly Mutant[] = [];

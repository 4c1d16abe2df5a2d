import type { Mutant } from '../mutant.ts';

/** The mutants of `connection`. */
export const connectionMutants: readonly Mutant[] = [];

import type { Mutant } from '../mutant.ts';

/** The mutants of `host`. */
export const hostMutants: readonly Mutant[] = [];

import type { Mutant } from '../mutant.ts';

/** The mutants of `wire`. */
export const wireMutants: readonly Mutant[] = [];

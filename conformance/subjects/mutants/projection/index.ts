import type { Mutant } from '../mutant.ts';

/** The mutants of `projection`. */
export const projectionMutants: readonly Mutant[] = [];

import type { Mutant } from '../mutant.ts';
import { modelConnectionMutants } from './connection.ts';
import { modelGenerationMutants } from './generation.ts';

/** The mutants of `model`. */
export const modelMutants: readonly Mutant[] = [...modelGenerationMutants, ...modelConnectionMutants];

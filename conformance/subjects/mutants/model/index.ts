import type { Mutant } from '../mutant.ts';
import { modelConnectionMutants } from './connection.ts';
import { modelDisposalMutants } from './disposal.ts';
import { modelGenerationMutants } from './generation.ts';
import { modelRenameMutants } from './renames.ts';
import { modelServerMutants } from './servers.ts';

/** The mutants of `model`. */
export const modelMutants: readonly Mutant[] = [...modelGenerationMutants, ...modelRenameMutants, ...modelConnectionMutants, ...modelServerMutants, ...modelDisposalMutants];

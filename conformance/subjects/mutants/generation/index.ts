/** Defects of generations. Those of the stateful model are in model/. */
import type { Mutant } from '../mutant.ts';
import { noticeMutants } from './notices.ts';
import { swapMutants } from './swaps.ts';
import { tellingMutants } from './telling.ts';
import { unansweredMutants } from './unanswered.ts';

/** The mutants of `generation`. */
export const generationMutants: readonly Mutant[] = [...swapMutants, ...noticeMutants, ...tellingMutants, ...unansweredMutants];

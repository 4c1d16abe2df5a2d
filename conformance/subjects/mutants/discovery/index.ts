/** Defects of discovery. */
import type { Mutant } from '../mutant.ts';
import { entryMutants } from './entries.ts';
import { pageMutants } from './pages.ts';

/** The mutants of `discovery`. */
export const discoveryMutants: readonly Mutant[] = [...pageMutants, ...entryMutants];

import type { Check } from './check.ts';
import { duplicateChecks } from './discovery/duplicates.ts';
import { endlessChecks } from './discovery/endless.ts';
import { fidelityChecks } from './discovery/fidelity.ts';
import { oddOneChecks } from './discovery/odd-ones.ts';
import { oddRootChecks } from './discovery/odd-roots.ts';
import { paginationChecks } from './discovery/pagination.ts';
import { judgedWhileOpen } from './while-open.ts';

/** The checks of `discovery`. */
export const discoveryChecks: readonly Check[] = [
  ...paginationChecks,
  ...endlessChecks,
  ...duplicateChecks,
  ...fidelityChecks,
  ...oddOneChecks,
  ...oddRootChecks,
].map(judgedWhileOpen);

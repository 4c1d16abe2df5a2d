import type { Check } from './check.ts';
import { conflictChecks } from './generation/conflicts.ts';
import { failingChecks } from './generation/failing.ts';
import { followingChecks } from './generation/following.ts';
import { manyChangesChecks } from './generation/many-changes.ts';
import { stormChecks } from './generation/storms.ts';
import { swappingChecks } from './generation/swapping.ts';
import { unansweredChecks } from './generation/unanswered.ts';
import { judgedWhileOpen } from './while-open.ts';

/** The checks of `generation`. The stateful model's are in model/. */
export const generationChecks: readonly Check[] = [
  ...followingChecks,
  ...failingChecks,
  ...unansweredChecks,
  ...manyChangesChecks,
  ...swappingChecks,
  ...stormChecks,
  ...conflictChecks,
].map(judgedWhileOpen);

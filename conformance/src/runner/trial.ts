/**
 * Every attempt that a run is made of, so that its verdict can be reached again from the histories alone.
 */
import type { History } from '../history/schema.ts';
import type { Ending } from './weigh.ts';

/** One attempt, without what a judge said. */
export interface TrialAttempt {
  readonly history: History;
  readonly ending: Ending;
}

/** What was tried with one input: the only trial of a scripted check, one of many of a property. */
export interface Trial {
  /** `shrunk`: the smaller input that is reported and its replay. Smaller ones on the way to it are not kept. */
  readonly role: 'input' | 'shrunk';
  /** Of a property: what the input is an example of. */
  readonly labels?: readonly string[];
  /** In the order in which they were made; more than one where the first did not pass. */
  readonly attempts: readonly TrialAttempt[];
}

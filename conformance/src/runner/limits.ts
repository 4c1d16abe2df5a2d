/**
 * Bounds of the runner, in milliseconds: nothing a subject does or omits keeps a certification from ending.
 */
import type { Check } from '../checks/check.ts';

/** For one exercise, where the check says nothing else. */
export const EXERCISE_LIMIT_MS = 30_000;
/** For all inputs of one property before shrinking. */
export const PROPERTY_LIMIT_MS = 45_000;
/** For shrinking the first input that failed, where the check says nothing else; the smallest found by then that recurs is reported. */
export const SHRINK_LIMIT_MS = 10_000;
/** For making an adapter and asking it who it is. */
export const START_LIMIT_MS = 15_000;
/** For trying the case that is written from a failure. */
export const CASE_TRIAL_MS = 30_000;

/** For a whole run: twice an exercise or a whole property with its replay, the case of a failure, and time to start and close. */
export function runLimitMs(check: Check): number {
  const exerciseMs = check.limitMs ?? EXERCISE_LIMIT_MS;
  // As long as shrinking takes, failures that it found are replayed until one recurs.
  const workMs = check.kind === 'property' ? PROPERTY_LIMIT_MS + 2 * (check.shrinkLimitMs ?? SHRINK_LIMIT_MS) + 3 * exerciseMs : 2 * exerciseMs;
  return workMs + CASE_TRIAL_MS + 2 * START_LIMIT_MS;
}

/**
 * Bounds of the runner, in milliseconds: nothing a subject does or omits keeps a certification from ending.
 */

/** For one exercise, where the check says nothing else. */
export const EXERCISE_LIMIT_MS = 30_000;
/** For all inputs of one property before shrinking. */
export const PROPERTY_LIMIT_MS = 45_000;
/** For shrinking the first input that failed; the smallest found by then is reported. */
export const SHRINK_LIMIT_MS = 10_000;
/** For making an adapter and asking it who it is. */
export const START_LIMIT_MS = 15_000;

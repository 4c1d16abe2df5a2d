/**
 * Bounds of the bench, in milliseconds. What a subject declares is added to a slack for a loaded machine: lower time
 * bounds are judged exactly, upper ones as declared bound plus this (DESIGN.md §6).
 */

/** Added to what a subject declares. Two busy cores delay a wake-up by some hundred milliseconds at most. */
export const SLACK_MS = 1_000;
/** For `open`, `add`, `remove` and `reload`, which have no declared bound: a fresh driver and a server start in under a second. */
export const ACTIVATION_BOUND_MS = 15_000;
/** For one call, where the check says nothing else. */
export const CALL_BOUND_MS = 15_000;
/** For something on the wire, where the check says nothing else. */
export const WIRE_BOUND_MS = 5_000;
/** For the quick methods that only tell or set something. */
export const ANSWER_BOUND_MS = 5_000;
/** How long a process may take to vanish after `close` answered: the kernel reaps a killed tree within this. */
export const VANISH_BOUND_MS = 500;
/** Between two looks at a registry that does not tell of changes. */
export const LOOK_EVERY_MS = 40;
/** The same at one that does: it may have no way to tell of each change. Rare enough to leave the course to the subject. */
export const LOOK_BETWEEN_MS = 200;

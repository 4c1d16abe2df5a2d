/** Bounds of a fixture process, whatever its carrier. */

/** How long an ending process waits for its client to read what was sent, in milliseconds. */
export const FLUSH_LIMIT_MS = 2_000;
/**
 * How long a process that no control channel watches may hang or ignore its end, in milliseconds: nothing a scenario
 * starts may stay for good (DESIGN.md §5).
 */
export const UNWATCHED_LIFETIME_MS = 120_000;
/** The exit code of a fixture that cannot do its own book-keeping. */
export const SETUP_EXIT = 70;

/**
 * Time and timers, passed in so that what waits can be tested without waiting.
 * @module
 */

/** Time as the bridge uses it. */
export interface Clock {
  /** Monotonic, milliseconds. */
  now(): number;
  /** Runs `callback` once, never before `delayMs` is over; the answer cancels it. A timer never keeps the host alive (S60). */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** The real one. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule: (delayMs, callback) => {
    const dueMs = performance.now() + delayMs;
    let timer: NodeJS.Timeout;
    const arm = (waitMs: number): void => {
      timer = setTimeout(fire, waitMs);
      timer.unref();
    };
    // Node counts in whole milliseconds, so its timer may come up to one early.
    const fire = (): void => {
      const leftMs = dueMs - performance.now();
      if (leftMs > 0) arm(leftMs);
      else callback();
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  },
};

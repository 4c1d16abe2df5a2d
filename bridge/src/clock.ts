/**
 * Time and timers, passed in so that what waits can be tested without waiting.
 * @module
 */

/** Time as the bridge uses it. */
export interface Clock {
  /** Monotonic, milliseconds. */
  now(): number;
  /** Runs `callback` once after `delayMs`; the answer cancels it. A timer never keeps the host alive (S60). */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** The real one. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

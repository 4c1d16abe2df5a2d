/**
 * Turns any number of list-change notices into few refreshes, without losing the last one (B02, S31).
 * @module
 */
import type { Clock } from './clock.ts';

/** What a coalescer needs. */
export interface CoalescerOptions {
  /** Silence after a notice before a refresh, milliseconds. */
  readonly quietMs: number;
  /** Longest wait from the first notice of a burst; doubles with each refresh of the same burst, milliseconds. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
  /** Reads the list again and says whether anything was new. Must not reject. */
  readonly refresh: () => Promise<boolean>;
}

/** Collects notices. It starts held: nothing is refreshed until `release`, and nothing noticed before is lost. */
export interface Coalescer {
  /** A notice came. */
  notice(): void;
  /** The first listing is done: from now on notices lead to refreshes. */
  release(): void;
  /** Holds notices back again: there is no connection. */
  hold(): void;
  /** No refresh begins any more. Settles when one under way has ended. */
  stop(): Promise<void>;
}

/** Longest quiet time that a server can earn by answering every listing with another notice, milliseconds. */
const QUIET_MAX_MS = 2_000;

/**
 * Doublings of the quiet time for echoes whose list is new each time: 100 ms become 800 ms, so that somebody who changes
 * a list again and again still sees each last change within a second (DESIGN.md, budgets).
 */
const NEWS_DOUBLINGS = 3;

/** A refresh for so few notices may be the echo of the one before it; a burst has more. */
const ECHO_NOTICES = 2;

/** Refreshes of one burst after which even a list that changes each time counts as an echo. */
const PATIENT_REFRESHES = 5;

/** Silence, beyond the quiet time, after which a burst is over and waits are short again, milliseconds. */
const BURST_END_MS = 1_000;

/** Doublings of the longest wait before it stops growing: 500 ms become 8 s. */
const MAX_WAIT_DOUBLINGS = 4;

/**
 * One timer, one refresh in flight, one dirty flag. A notice costs a comparison and no timer.
 *
 * Two things grow while a burst lasts: the longest wait, so that an endless burst costs ever fewer refreshes, and the
 * quiet time of a server whose listing itself causes the next notice, so that it does not spin.
 */
export function createCoalescer({ quietMs, maxWaitMs, clock, refresh }: CoalescerOptions): Coalescer {
  let held = true;
  let stopped = false;
  let dirty = false;
  let firstNoticeAt = 0;
  let lastNoticeAt = Number.NEGATIVE_INFINITY;
  let notices = 0;
  /** Refreshes of this burst, and the echoes among the last of them. */
  let refreshes = 0;
  let echoes = 0;
  let cancelTimer: (() => void) | undefined;
  let running: Promise<void> | undefined;

  const currentQuietMs = (): number => Math.max(quietMs, Math.min(QUIET_MAX_MS, quietMs * 2 ** echoes));

  const dueAt = (): number => {
    const longestWaitMs = Math.max(currentQuietMs(), maxWaitMs * 2 ** Math.min(refreshes, MAX_WAIT_DOUBLINGS));
    return Math.min(lastNoticeAt + currentQuietMs(), firstNoticeAt + longestWaitMs);
  };

  const arm = (): void => {
    if (held || stopped || !dirty || running !== undefined || cancelTimer !== undefined) return;
    cancelTimer = clock.schedule(Math.max(0, dueAt() - clock.now()), onTimer);
  };

  const onTimer = (): void => {
    cancelTimer = undefined;
    if (clock.now() < dueAt()) arm();
    else running = run();
  };

  const run = async (): Promise<void> => {
    const few = notices <= ECHO_NOTICES;
    dirty = false;
    notices = 0;
    refreshes += 1;
    const foundNew = await refresh();
    if (!few) echoes = 0;
    else if (!foundNew) echoes += 1;
    else if (refreshes > PATIENT_REFRESHES) echoes = Math.min(echoes + 1, NEWS_DOUBLINGS);
    running = undefined;
    arm();
  };

  return {
    notice() {
      const now = clock.now();
      if (now - lastNoticeAt > currentQuietMs() + BURST_END_MS) {
        refreshes = 0;
        echoes = 0;
      }
      if (!dirty) firstNoticeAt = now;
      lastNoticeAt = now;
      notices += 1;
      dirty = true;
      arm();
    },
    release() {
      held = false;
      arm();
    },
    hold() {
      held = true;
      cancelTimer?.();
      cancelTimer = undefined;
    },
    async stop() {
      stopped = true;
      cancelTimer?.();
      cancelTimer = undefined;
      await running;
    },
  };
}

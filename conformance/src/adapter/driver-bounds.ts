/**
 * Bounds of a driver process. All are for a person's driver, which may be an interpreter on a busy machine.
 */
import { MAX_DRIVER_LINE_BYTES } from './driver-protocol.ts';

/** Bounds, in milliseconds and bytes. */
export interface DriverBounds {
  /** From the start of the process to the reply to its first `describe`. */
  readonly startMs: number;
  /** With something asked and nothing said for this long, the driver is asked `describe`, which it has to answer at any time. */
  readonly silenceMs: number;
  /** That `describe` unanswered for this long, the driver is hung, and is killed with everything it started. */
  readonly answerMs: number;
  /** After the end of its input it may close its bridge for this long; then it gets SIGTERM. */
  readonly endGraceMs: number;
  /** After SIGTERM it may take this long; then it is killed. */
  readonly termGraceMs: number;
  /** The longest line that is read. */
  readonly maxLineBytes: number;
  /** How much of the end of its stderr is kept. */
  readonly stderrTailBytes: number;
  /** How long after its exit its last lines are waited for. */
  readonly drainMs: number;
  /** How long it may live on with a closed stdout. */
  readonly voicelessMs: number;
}

/** Defaults. */
export const DRIVER_BOUNDS: DriverBounds = {
  // An interpreter with a large library takes some seconds to load on a busy machine.
  startMs: 15_000,
  // Together below the shortest bound of the bench for something that may take long (15 s), so that a hung driver is
  // told from a bridge that does not settle.
  silenceMs: 2_000,
  answerMs: 8_000,
  endGraceMs: 8_000,
  termGraceMs: 2_000,
  maxLineBytes: MAX_DRIVER_LINE_BYTES,
  stderrTailBytes: 4_096,
  drainMs: 500,
  voicelessMs: 1_000,
};

/**
 * How one run is made.
 */
import type { Level } from '../adapter/messages.ts';

/** What a run needs beside its plan. */
export interface RunOptions {
  readonly seed: number;
  /** Levels asked for; default: all that the subject declares. */
  readonly levels?: readonly Level[];
  /** Of a property: replays the one input at this path of fast-check. */
  readonly path?: string;
  /** Milliseconds to make a failing input smaller, default {@link SHRINK_LIMIT_MS}; 0 where only the verdict counts. */
  readonly shrinkLimitMs?: number;
  /** Milliseconds for all inputs of a property before shrinking, default {@link PROPERTY_LIMIT_MS}. */
  readonly propertyLimitMs?: number;
}

/**
 * The pace of the inputs of one property: waits are measured as long as nothing failed, and cut to what they took then once a
 * failure is made smaller.
 */
import type { Pace, WaitKind } from '../checks/pace.ts';
import { UNHURRIED } from '../checks/pace.ts';

/** So many times what a wait of its kind took at most is waited in haste: a machine may become slower meanwhile. */
const TIMES_LONGER = 4;
/** And at least so long, in milliseconds: below that the clock of a busy machine is what is measured. */
const LEAST_WAIT_MS = 400;

/** See the module's comment. */
export class Haste {
  /** Whether waits are cut. */
  hurries = false;
  readonly #longestMs = new Map<WaitKind, number>();

  /** @param isFailed judges what the exercise of this pace showed so far */
  pace(isFailed: () => Promise<boolean>): Pace {
    return {
      bound: (kind, fullMs) => (this.hurries ? Math.min(fullMs, this.#enough(kind)) : fullMs),
      took: (kind, ms) => void this.#longestMs.set(kind, Math.max(ms, this.#longestMs.get(kind) ?? 0)),
      isDecided: () => (this.hurries ? isFailed() : UNHURRIED.isDecided()),
    };
  }

  /** What never came is waited for in full: how long it takes is not known. */
  #enough(kind: WaitKind): number {
    const longestMs = this.#longestMs.get(kind);
    return longestMs === undefined ? Infinity : Math.max(LEAST_WAIT_MS, TIMES_LONGER * longestMs);
  }
}

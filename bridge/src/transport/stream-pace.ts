/** How long to wait before a stream is asked for again (B10). Pure. */

/** Bounds of the waits, milliseconds. */
export interface PaceLimits {
  /** The first wait where the server names none. */
  readonly streamRetryMs: number;
  /** Longest wait, whatever the server asks for; also how long a stream must live to be a good one. */
  readonly maxStreamRetryMs: number;
}

/** Shortest wait, whatever the server asks for, milliseconds: with the doubling some ten requests until the longest one. */
const SHORTEST_WAIT_MS = 10;

/** Waits of one stream: as the server asks, twice as long each time that it brought nothing, never above the longest. */
export class StreamPace {
  readonly #limits: PaceLimits;
  #baseMs: number;
  #fruitless = 0;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
    this.#baseMs = limits.streamRetryMs;
  }

  /** The server's own wish, from the stream's field `retry`. */
  asked(retryMs: number): void {
    this.#baseMs = retryMs;
  }

  /** Something came, or the stream lived long: the next loss is a first one again. */
  prospered(): void {
    this.#fruitless = 0;
  }

  /** The wait after one more loss or failure. */
  nextMs(): number {
    const base = Math.max(this.#baseMs, SHORTEST_WAIT_MS);
    // Exponents are capped only so that the product stays finite.
    const wait = Math.min(base * 2 ** Math.min(this.#fruitless, 30), this.#limits.maxStreamRetryMs);
    this.#fruitless += 1;
    return wait;
  }
}

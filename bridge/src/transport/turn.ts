/** How long what one peer sends may keep the host from everything else (B19). */

/** Longest work in a row before everything else has its turn, milliseconds. */
const TURN_MS = 10;

/** How much is worked on before the clock is looked at, bytes or characters: 64 KiB may hold 32 768 lines that cost microseconds each. */
export const PIECE_SIZE = 4_096;

/** Times work that comes in pieces. What follows at once is the same turn, whoever woke us in between. */
export class Turn {
  readonly #now: () => number;
  #beganMs = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** @param now a clock, milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Something came that is worked on now. */
  begin(): void {
    const nowMs = this.#now();
    if (nowMs - this.#lastMs >= TURN_MS) this.#beganMs = nowMs;
  }

  /** A piece is done. @returns whether everything else has to have its turn before the next, which begins a new one */
  isOver(): boolean {
    const nowMs = this.#now();
    const isOver = nowMs - this.#beganMs >= TURN_MS;
    this.#lastMs = isOver ? Number.NEGATIVE_INFINITY : nowMs;
    return isOver;
  }
}

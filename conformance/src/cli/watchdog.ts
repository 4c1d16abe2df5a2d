/**
 * Ends workers that do not come back: a subject that never returns to the event loop cannot be timed out from inside,
 * and cannot even tell that a test began.
 */
/** Calls back once when nothing was heard for some time. */
export class Watchdog {
  readonly #silenceMs: number;
  readonly #onSilent: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param silenceMs milliseconds without `heard`, longer than any test may take */
  constructor(silenceMs: number, onSilent: () => void) {
    this.#silenceMs = silenceMs;
    this.#onSilent = onSilent;
    this.heard();
  }

  /** Something came from a worker. */
  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onSilent(), this.#silenceMs);
    this.#timer.unref();
  }

  /** Watches no more. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

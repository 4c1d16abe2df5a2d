/**
 * Ends workers that do not come back: a subject that never returns to the event loop cannot be timed out from inside,
 * and cannot even tell that a test began.
 */
import { readFileSync } from 'node:fs';

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

/** Kills the child processes of this one: the workers. Where the platform has no /proc, nothing is killed. */
export function killWorkers(): void {
  let children: string;
  try {
    children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  } catch {
    return;
  }
  for (const pid of children.split(' ').filter((word) => word !== '')) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended in between.
    }
  }
}

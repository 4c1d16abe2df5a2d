/**
 * Sees to it that nothing a command started outlives it: when a person or a CI ends it, and when it is killed.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { RUN_MARKER } from '../runner/run-marker.ts';
import { END_GRACES } from './end-graces.ts';
import { markRun, sweep } from './sweep.ts';

/** By which a person, a terminal that closes or a CI ends a command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Guards one command. `end` must be called. */
export class RunGuard {
  /** `NAME=value`, in the environment of everything that is started from now on. */
  readonly marker = markRun();
  readonly #caretaker: ChildProcess;
  /** Ends the processes that work for this one; without one there are only such as never had anything to close. */
  #endWork: (() => void) | undefined;
  #interrupted = false;

  constructor() {
    const { [RUN_MARKER]: _mark, ...env } = process.env;
    // In a group of its own, so that a kill of this one does not reach it.
    this.#caretaker = fork(fileURLToPath(new URL('./caretaker-child.js', import.meta.url)), [this.marker], {
      env, detached: true, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [],
    });
    this.#caretaker.on('error', () => undefined);
    this.#caretaker.unref();
    this.#caretaker.channel?.unref();
    for (const name of SIGNALS) process.on(name, this.#interrupt);
  }

  /** Does some work; when this process is interrupted meanwhile, `endWork` is called first. */
  async during<T>(endWork: () => void, work: () => Promise<T>): Promise<T> {
    this.#endWork = endWork;
    try {
      return await work();
    } finally {
      this.#endWork = undefined;
      await this.#hold();
    }
  }

  /** Guards no more. */
  async end(): Promise<void> {
    await this.#hold();
    for (const name of SIGNALS) process.off(name, this.#interrupt);
    await this.#dismiss();
  }

  readonly #interrupt = (name: (typeof SIGNALS)[number]): void => {
    const again = this.#interrupted;
    this.#interrupted = true;
    if (!again) process.stderr.write('mcp-bridge-conformance: interrupted; what was started is being ended, a second time ends it at once\n');
    const working = this.#endWork !== undefined;
    this.#endWork?.();
    // Where nothing worked, a driver was only asked who it is, and its input ends with this process: a signal has to do.
    const graces = again ? { endMs: 0 } : working ? END_GRACES : { ...END_GRACES, endMs: 0 };
    void sweep(this.marker, graces).then(() => this.#dismiss()).finally(() => process.exit(128 + constants.signals[name]));
  };

  /** What ended since this process is about to end is no result. */
  async #hold(): Promise<void> {
    if (this.#interrupted) await new Promise(() => undefined);
  }

  async #dismiss(): Promise<void> {
    const child = this.#caretaker;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

/** Waiting until a pipe takes more: one wait for all senders, so that a slow server collects no listeners (B27). */
import type { Writable } from 'node:stream';

/** See the module's comment. */
export class DrainWait {
  #drained: Promise<void> | undefined;

  /** Resolves when the pipe takes more, or is closed. */
  until(pipe: Writable): Promise<void> {
    this.#drained ??= new Promise<void>((resolve) => {
      const done = (): void => {
        pipe.removeListener('drain', done);
        pipe.removeListener('close', done);
        this.#drained = undefined;
        resolve();
      };
      pipe.on('drain', done);
      pipe.on('close', done);
    });
    return this.#drained;
  }
}

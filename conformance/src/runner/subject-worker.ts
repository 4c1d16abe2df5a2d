/**
 * One adapter of a worker: made when it is first needed, used for check after check, replaced when it hung.
 */
import type { SubjectDescription } from '../adapter/messages.ts';
import { AdapterError, type AdapterFactory, type BridgeAdapter } from '../adapter/bridge-adapter.ts';
import { inProcess } from '../adapter/in-process.ts';
import { installAmbientCanaries } from '../bench/ambient.ts';
import { within } from '../bench/endings.ts';
import { START_LIMIT_MS } from './limits.ts';

/** A live way to the subject. */
export interface LiveSubject {
  readonly adapter: BridgeAdapter;
  readonly subject: SubjectDescription;
}

/** Holds the adapter of this worker. */
export class SubjectWorker {
  readonly #factory: AdapterFactory;
  #live: Promise<LiveSubject> | undefined;

  constructor(factory: AdapterFactory) {
    this.#factory = factory;
  }

  /**
   * The live subject; made now if there is none.
   * @throws AdapterError `driver-hung` when it does not come in time, `misuse` when it is no adapter,
   *   `invalid-reply` when it does not say who it is.
   */
  live(): Promise<LiveSubject> {
    if (this.#live === undefined) {
      this.#live = this.#start();
      this.#live.catch(() => (this.#live = undefined));
    }
    return this.#live;
  }

  /** Gives the adapter up, without waiting for it: it hung, or an exercise that is over may still use it. */
  discard(): void {
    const gone = this.#live;
    this.#live = undefined;
    void gone?.then(({ adapter }) => adapter.close()).catch(() => undefined);
  }

  async #start(): Promise<LiveSubject> {
    installAmbientCanaries();
    const started = await within(
      (async () => {
        const adapter = inProcess(await this.#factory());
        return { adapter, subject: await adapter.describe() };
      })(),
      START_LIMIT_MS,
    );
    if (started.reached) return started.value;
    throw new AdapterError('driver-hung', `the adapter did not answer "describe" within ${START_LIMIT_MS} ms`);
  }
}

/**
 * The visible state of one instance: kept, and announced whenever it changes (B20).
 * @module
 */
import type { BridgeLog } from './bridge-log.ts';
import { describeError } from './errors.ts';
import { announceState, STATE_EVENT } from './host-events.ts';
import { sameState, type NameHolder, type ServerDirectory, type ServerState } from './server-directory.ts';
import type { ConnectionStatus } from './supervisor-options.ts';
import { deferred } from './transport/deferred.ts';

/** What a state board speaks for and to. */
export interface StateBoardOptions {
  readonly serverName: string;
  /** The app's root context, on which states are announced. */
  readonly root: object;
  readonly directory: ServerDirectory;
  /** How many tools are registered now. */
  readonly toolCount: () => number;
  readonly log: BridgeLog;
}

/** Keeps the state of one instance. */
export class StateBoard {
  /** What the directory of the app holds while the instance has its name. */
  readonly holder: NameHolder;
  readonly #options: StateBoardOptions;
  readonly #freed = deferred<void>();
  #state: ServerState;
  #isAnnounced = false;

  constructor(options: StateBoardOptions) {
    this.#options = options;
    this.#state = { serverName: options.serverName, state: 'connecting', attempt: 0, nextDelayMs: undefined, toolCount: 0, lastError: undefined };
    this.holder = { closing: false, freed: this.#freed.promise, readState: () => this.#state };
  }

  /** Shows a state, and announces it if it is news. After a disposal has begun it is always `disposed` (S60). */
  show(status: ConnectionStatus): void {
    const { serverName, directory, toolCount, root, log } = this.#options;
    const kept: ConnectionStatus = this.holder.closing ? { ...status, state: 'disposed', attempt: 0, nextDelayMs: undefined } : status;
    const next: ServerState = { serverName, ...kept, toolCount: toolCount() };
    const isNews = !this.#isAnnounced || !sameState(this.#state, next);
    this.#state = next;
    // An instance that never got the name must not speak for the one that has it.
    if (!isNews || directory.holders.get(serverName) !== this.holder) return;
    this.#isAnnounced = true;
    announceState(root, next, (error) => log('warn', `a listener of ${STATE_EVENT} failed: ${describeError(error)}`));
  }

  /** Connected and listed; `lastError` is what the last sync failed with, if it did. */
  showReady(lastError: string | undefined): void {
    this.show({ state: 'ready', attempt: 0, nextDelayMs: undefined, lastError });
  }

  /** Disposed, with the last error kept. */
  showDisposed(): void {
    this.show({ state: 'disposed', attempt: 0, nextDelayMs: undefined, lastError: this.#state.lastError });
  }

  /** The name is free: the last that is heard of this instance. */
  freed(): void {
    this.#freed.resolve();
  }
}

/**
 * Follows list changes on a live connection (S27, B02), and asks again where the answer was only an accident.
 * @module
 */
import type { BridgeLog } from './bridge-log.ts';
import type { Clock } from './clock.ts';
import { BridgeError, describeError, type BridgeErrorCode } from './errors.ts';
import { reconnectDelayMs, type ReconnectPolicy } from './reconnect-budget.ts';
import type { Coalescer, CoalescerOptions } from './refresh-coalescer.ts';
import type { Session } from './session.ts';
import type { SyncOutcome } from './tool-sync.ts';

/** What a refresh works with. */
export interface ListRefreshOptions {
  readonly createCoalescer: (options: CoalescerOptions) => Coalescer;
  readonly quietMs: number;
  readonly maxWaitMs: number;
  readonly clock: Clock;
  /** Its delays are those of repeated refreshes; without reconnection nothing is repeated. */
  readonly policy: ReconnectPolicy;
  /** The live connection, if there is one. */
  readonly session: () => Session | undefined;
  readonly sync: (session: Session) => Promise<SyncOutcome>;
  /** How many tools are registered. */
  readonly toolCount: () => number;
  /** Shows `ready`, and what is wrong with the list. */
  readonly show: (fault: string | undefined) => void;
  readonly log: BridgeLog;
  /** Aborts when the instance is being disposed. */
  readonly signal: AbortSignal;
}

/** Refreshes after a failed one that nobody asked for. A server that still fails then is asked at its next notice. */
const REPEATS = 3;

/** Failures that may be over a moment later. A list that is void or too large stays so until the server changes it. */
const PASSING: ReadonlySet<BridgeErrorCode> = new Set(['discovery-failed', 'discovery-timeout']);

/** One for each instance, over all its connections. */
export class ListRefresh {
  readonly #options: ListRefreshOptions;
  readonly #coalescer: Coalescer;
  /** Repeats since the last notice or the last good list. */
  #repeats = 0;
  #hasFailed = false;
  #cancelRepeat: (() => void) | undefined;

  constructor(options: ListRefreshOptions) {
    this.#options = options;
    const { createCoalescer, quietMs, maxWaitMs, clock } = options;
    this.#coalescer = createCoalescer({ quietMs, maxWaitMs, clock, refresh: () => this.#refresh() });
  }

  /** A notice came. */
  notice(): void {
    this.#repeats = 0;
    this.#coalescer.notice();
  }

  /** A connection is there and its first list is read. */
  release(): void {
    this.#repeats = 0;
    this.#hasFailed = false;
    this.#coalescer.release();
  }

  /** There is no connection. */
  hold(): void {
    this.#endRepeat();
    this.#coalescer.hold();
  }

  /** Nothing begins any more. Settles when a refresh under way has ended. */
  stop(): Promise<void> {
    this.#endRepeat();
    return this.#coalescer.stop();
  }

  #endRepeat(): void {
    this.#cancelRepeat?.();
    this.#cancelRepeat = undefined;
  }

  /** One refresh; says whether anything was new. Never rejects (S28: a failure keeps what there is). */
  async #refresh(): Promise<boolean> {
    const { session: current, sync, log, show, signal } = this.#options;
    const session = current();
    if (session === undefined) return false;
    this.#endRepeat();
    try {
      const { changed, toolCount, conflict } = await sync(session);
      if (signal.aborted) return changed;
      if (conflict === undefined) log(changed || this.#hasFailed ? 'info' : 'debug', `tool list read again, ${toolCount} tools${changed ? '' : ', unchanged'}`);
      this.#repeats = 0;
      this.#hasFailed = false;
      if (session.isOpen) show(conflict?.message);
      return changed;
    } catch (error) {
      // A lost connection and a disposal have their own lines.
      if (!signal.aborted && session.isOpen) this.#failed(error);
      return false;
    }
  }

  #failed(error: unknown): void {
    const { policy, clock, log, show, toolCount } = this.#options;
    const repeats = policy.enabled && error instanceof BridgeError && PASSING.has(error.code) && this.#repeats < REPEATS;
    const first = this.#repeats === 0;
    let next = 'it is read again at the next list change';
    if (repeats) {
      this.#repeats += 1;
      const delayMs = reconnectDelayMs(policy, this.#repeats);
      next = `it is asked for again in ${delayMs} ms`;
      this.#cancelRepeat = clock.schedule(delayMs, () => this.#coalescer.notice());
    }
    this.#hasFailed = true;
    // What is repeated has been said; the last word is not.
    log(first || !repeats ? 'error' : 'debug', `the tool list could not be read again, the ${toolCount()} tools of the last good one stay; ${next}: ${describeError(error)}`);
    show(describeError(error));
  }
}

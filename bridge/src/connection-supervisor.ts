/**
 * The life of one instance's connection: first attempt, loss, end (S06, S52-S58).
 *
 * This first cut makes one attempt and treats every outage as `reconnect.enabled: false` would (S57). A retry loop goes
 * into `#outage`, with the decision from a pure budget; nothing else has to know of it.
 * @module
 */
import type { BridgeLog } from './bridge-log.ts';
import { BridgeError, describeError } from './errors.ts';
import type { ServerStatus } from './server-directory.ts';
import type { CloseReason, Session, SessionListeners } from './session.ts';

/** What a supervisor drives. */
export interface SupervisorOptions {
  readonly serverName: string;
  /** One connection attempt. */
  readonly open: (listeners: SessionListeners) => Promise<Session>;
  /** The listing that completes an attempt; rejects when it fails before the swap. */
  readonly firstSync: (session: Session) => Promise<void>;
  /** A list change was noticed on the live connection. */
  readonly onToolListChanged: () => void;
  /** The connection is up and listed, or gone. */
  readonly onLive: (live: boolean) => void;
  readonly onStatus: (status: ServerStatus, lastError: string | undefined) => void;
  /** How many tools are registered, for log lines. */
  readonly toolCount: () => number;
  readonly log: BridgeLog;
  /** Aborts when the instance is being disposed. */
  readonly signal: AbortSignal;
}

/** Supervises one connection. */
export class ConnectionSupervisor {
  readonly #options: SupervisorOptions;
  #session: Session | undefined;
  #why = 'it was never connected';

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The live session. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Why there is no live session, for an error. */
  get disconnectedBecause(): string {
    return this.#why;
  }

  /**
   * The first attempt.
   * @returns the failure, already logged; `undefined` when the server is connected and listed
   */
  async start(): Promise<BridgeError | undefined> {
    this.#options.onStatus('connecting', undefined);
    return this.#attempt();
  }

  /** Closes the connection and waits until the server is gone. Never rejects: an incomplete close is an error line. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#why = 'this instance of the bridge is disposed';
    if (session !== undefined) await this.#closeSession(session);
  }

  async #attempt(): Promise<BridgeError | undefined> {
    const { signal, firstSync, onLive } = this.#options;
    let session: Session;
    try {
      session = await this.#open();
    } catch (error) {
      return this.#outage(error, false);
    }
    if (signal.aborted) {
      await this.#closeSession(session);
      return this.#outage(new BridgeError('disposed', 'disposed while connecting'), false);
    }
    this.#session = session;
    try {
      await firstSync(session);
    } catch (error) {
      this.#session = undefined;
      await this.#closeSession(session);
      return this.#outage(error, false);
    }
    if (signal.aborted) return this.#outage(new BridgeError('disposed', 'disposed while its tools were being registered'), false);
    void session.closed.then((reason) => this.#lost(session, reason));
    onLive(true);
    return undefined;
  }

  /** A notice from a connection that is no longer the live one does nothing (S56). */
  async #open(): Promise<Session> {
    const { open, onToolListChanged, log, signal } = this.#options;
    let opened: Session | undefined;
    const isCurrent = (): boolean => !signal.aborted && (opened === undefined || opened === this.#session);
    opened = await open({
      onToolListChanged: () => {
        if (isCurrent()) onToolListChanged();
      },
      onDiagnostic: (level, message) => log(level, message),
    });
    return opened;
  }

  #lost(session: Session, reason: CloseReason): void {
    // Closed by the bridge, or an old connection whose end is reported late (S56).
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#options.onLive(false);
    const leftover = reason.leftover === undefined ? '' : `; ${reason.leftover}`;
    this.#outage(new BridgeError('connection-lost', `${reason.detail}${leftover}`), true);
  }

  /** An outage begins: says so once, and decides what follows. An attempt that never connected reads differently (S59). */
  #outage(cause: unknown, wasEstablished: boolean): BridgeError {
    const { serverName, onStatus, log, toolCount, signal } = this.#options;
    const failure = cause instanceof BridgeError ? cause : new BridgeError('connect-failed', `MCP server "${serverName}": ${describeError(cause)}`, { cause });
    const what = describeError(failure);
    this.#why = wasEstablished ? `the connection was lost: ${what}` : `it could not be connected: ${what}`;
    if (signal.aborted) return failure;
    // The log line keeps the whole message, with what the server said last (B06); the log bounds it.
    if (wasEstablished) log('error', `connection lost: ${failure.message}; its ${toolCount()} tools stay registered and fail until this entry is reloaded`);
    else log('error', `not available: ${failure.message}; it has no tools until this entry is reloaded`);
    onStatus('failed', what);
    return failure;
  }

  async #closeSession(session: Session): Promise<void> {
    try {
      await session.close();
    } catch (error) {
      this.#options.log('error', `shutdown incomplete: ${describeError(error)}`);
    }
  }
}

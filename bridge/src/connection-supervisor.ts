/**
 * The life of one instance's connections: the first attempt, a loss, the attempts after it, the end (S06, S52-S60).
 *
 * There is one connection at a time. A failure or loss counts once, and only when the server is proven gone (S58);
 * what follows is the pure budget's decision (`reconnect-budget.ts`), and how it reads is in `outage-text.ts`.
 * @module
 */
import { BridgeError, describeError } from './errors.ts';
import { causeOf, describeSituation, headline, nextAttempt, type OutageEvent, type Situation } from './outage-text.ts';
import { connected, FRESH_BUDGET, type BudgetDecision } from './reconnect-budget.ts';
import type { CloseReason, Session, SessionListeners } from './session.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

/** One connection, from the beginning of its attempt. */
interface Connection {
  /** Set when it is open. */
  session: Session | undefined;
  /** Whether its list was read: from then on calls use it, and its uptime counts (S54). */
  isListed: boolean;
  /** What its loss will lead to, once it is lost. */
  next: BudgetDecision | undefined;
  /** Set when the bridge closes it; resolves with what is left, if anything. */
  cleared: Promise<string | undefined> | undefined;
}

/** Supervises the connections of one instance. */
export class ConnectionSupervisor {
  readonly #options: SupervisorOptions;
  #budget = FRESH_BUDGET;
  #connection: Connection | undefined;
  #situation: Situation = { kind: 'connecting' };
  #cancelTimer: (() => void) | undefined;
  /** The attempt begun last. */
  #attempting: Promise<unknown> = Promise.resolve();

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The session that calls use, once it is listed; it knows itself whether it is still open. */
  get session(): Session | undefined {
    const connection = this.#connection;
    return connection?.isListed === true ? connection.session : undefined;
  }

  /** Why there is no session for a call, and what is going on (S55). */
  get disconnectedBecause(): string {
    const { policy, clock } = this.#options;
    return describeSituation(this.#situation, policy.maxAttempts, clock.now());
  }

  /**
   * The first attempt. Never rejects.
   * @returns the failure or registry conflict, already logged; `undefined` when the server is connected and registered
   */
  start(): Promise<BridgeError | undefined> {
    this.#options.onStatus({ state: 'connecting', attempt: 0, nextDelayMs: undefined, lastError: undefined });
    return this.#begin(0);
  }

  /** Cancels what waits; nothing is begun any more. `close` is to follow. */
  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#situation = { kind: 'disposed' };
  }

  /** Closes the connection and waits until the server is gone. Never rejects: an incomplete close is an error line. */
  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection?.session !== undefined) await this.#clear(connection, connection.session);
  }

  /** Settles when no attempt is under way. Never rejects. */
  async idle(): Promise<void> {
    await this.#attempting;
  }

  #begin(attempt: number): Promise<BridgeError | undefined> {
    const attempting = this.#attempt(attempt);
    this.#attempting = attempting;
    return attempting;
  }

  async #attempt(attempt: number): Promise<BridgeError | undefined> {
    const { open, sync, onLive, onStatus } = this.#options;
    const connection: Connection = { session: undefined, isListed: false, next: undefined, cleared: undefined };
    this.#connection = connection;
    let session: Session;
    let conflict: BridgeError | undefined;
    try {
      session = await open(this.#listen(connection));
      connection.session = session;
      conflict = await sync(session, attempt, () => this.#listed(connection));
    } catch (error) {
      return this.#failed(connection, attempt, error);
    }
    void session.closed.then((reason) => this.#gone(connection, reason));
    // Whatever the swap made others do may have ended it already.
    if (this.#connection === connection && connection.next === undefined) {
      onLive(true);
      onStatus({ state: 'ready', attempt: 0, nextDelayMs: undefined, lastError: conflict?.message });
    }
    return conflict;
  }

  /** What an old connection reports late does nothing (S56). */
  #listen(connection: Connection): SessionListeners {
    const { onToolListChanged, log } = this.#options;
    return {
      onToolListChanged: () => {
        if (this.#connection === connection) onToolListChanged();
      },
      onDiagnostic: (level, message) => log(level, message),
      onLost: (reason) => this.#lost(connection, reason),
    };
  }

  /** The end of discovery (S54). Before the swap: what it registers can be called at once. */
  #listed(connection: Connection): void {
    connection.isListed = true;
    this.#budget = connected(this.#budget, this.#options.clock.now());
    this.#situation = { kind: 'connected' };
  }

  async #failed(connection: Connection, attempt: number, error: unknown): Promise<BridgeError> {
    const { serverName, signal, log } = this.#options;
    this.#connection = undefined;
    const failure = error instanceof BridgeError ? error : new BridgeError('connect-failed', `MCP server "${serverName}": ${describeError(error)}`, { cause: error });
    const leftover = connection.session === undefined ? undefined : await this.#clear(connection, connection.session);
    const isProven = leftover === undefined && failure.code !== 'close-incomplete';
    if (signal.aborted) {
      if (failure.code === 'close-incomplete') log('error', `shutdown incomplete: ${failure.message}`);
      return failure;
    }
    const detail = leftover === undefined ? failure.message : `${failure.message}; ${leftover}`;
    this.#outage({ kind: attempt === 0 ? 'start' : 'attempt', attempt, detail }, isProven, this.#decide());
    return failure;
  }

  /** It can carry no more requests. Uptime ends here, whatever the rest of the server takes to go (S54). */
  #lost(connection: Connection, reason: CloseReason): void {
    if (this.#connection !== connection || !connection.isListed || connection.next !== undefined) return;
    const next = this.#decide();
    connection.next = next;
    const what = describeError(reason.detail);
    this.#situation = { kind: 'ending', cause: causeOf({ kind: 'loss', attempt: 0, detail: what }, what) };
    this.#options.onLive(false);
    if (next.kind === 'exhausted') this.#options.removeTools();
    this.#tell(next, what);
  }

  /** The server is gone, or the time for the proof is over (S58). */
  #gone(connection: Connection, reason: CloseReason): void {
    this.#lost(connection, reason);
    const { next } = connection;
    // Closed by the bridge, or about to be: `close` tells what is left.
    if (this.#options.signal.aborted || next === undefined) return;
    this.#connection = undefined;
    const { detail, leftover } = reason;
    this.#outage({ kind: 'loss', attempt: 0, detail: leftover === undefined ? detail : `${detail}; ${leftover}` }, leftover === undefined, next);
  }

  #decide(): BudgetDecision {
    const { decide, policy, clock } = this.#options;
    const { state, decision } = decide(policy, this.#budget, clock.now());
    this.#budget = state;
    return decision;
  }

  /** An outage begins or goes on: does what was decided, and says so once. */
  #outage(event: OutageEvent, isProven: boolean, decision: BudgetDecision): void {
    const { log, policy, retryFirst, toolCount, removeTools } = this.#options;
    const begins = headline(event, policy.maxAttempts);
    const what = describeError(event.detail);
    const cause = causeOf(event, what);
    const end = (why: string): void => {
      this.#situation = { kind: 'stopped', cause, why };
      log('error', `${begins}; ${why}`);
      this.#tell(undefined, what);
    };
    if (decision.kind === 'disabled' || (event.kind === 'start' && !retryFirst)) {
      end(event.kind === 'loss' ? `its ${toolCount()} tools stay registered and fail until this entry is reloaded` : 'it has no tools until this entry is reloaded');
    } else if (decision.kind === 'exhausted' || !isProven) {
      removeTools();
      const reason = isProven ? `given up after ${policy.maxAttempts} attempts` : 'reconnection stops, since two processes of one server must not meet';
      end(`${reason}; it has no tools until this entry is reloaded`);
    } else {
      this.#schedule(decision.attempt, decision.delayMs, cause, what);
      const next = nextAttempt(decision.attempt, policy.maxAttempts, decision.delayMs);
      if (event.kind === 'start') log('error', `${begins}; it has no tools until it is connected`);
      log('warn', event.kind === 'start' ? next : `${begins}; ${next}`);
      this.#tell(decision, what);
    }
  }

  /** The delay counts from now, the proven end of the old connection (S52). */
  #schedule(attempt: number, delayMs: number, cause: string, what: string): void {
    const { clock, onStatus } = this.#options;
    this.#situation = { kind: 'waiting', cause, attempt, dueAtMs: clock.now() + delayMs };
    this.#cancelTimer = clock.schedule(delayMs, () => {
      this.#cancelTimer = undefined;
      this.#situation = { kind: 'attempting', cause, attempt };
      onStatus({ state: 'reconnecting', attempt, nextDelayMs: undefined, lastError: what });
      void this.#begin(attempt);
    });
  }

  /** Announces that there is no connection, and what comes next; `undefined` is nothing. */
  #tell(next: BudgetDecision | undefined, lastError: string): void {
    const { onStatus } = this.#options;
    if (next?.kind === 'retry') onStatus({ state: 'reconnecting', attempt: next.attempt, nextDelayMs: next.delayMs, lastError });
    else onStatus({ state: 'failed', attempt: this.#budget.attempts, nextDelayMs: undefined, lastError });
  }

  /** Closes a connection and waits for the proof. @returns what is left, if anything */
  #clear(connection: Connection, session: Session): Promise<string | undefined> {
    connection.cleared ??= this.#close(session);
    return connection.cleared;
  }

  async #close(session: Session): Promise<string | undefined> {
    try {
      await session.close();
      return undefined;
    } catch (error) {
      const left = describeError(error);
      if (this.#options.signal.aborted) this.#options.log('error', `shutdown incomplete: ${left}`);
      return left;
    }
  }
}

/**
 * What a connection supervisor is given: everything it decides with and acts on.
 * @module
 */
import type { BridgeLog } from './bridge-log.ts';
import type { Clock } from './clock.ts';
import type { BridgeError } from './errors.ts';
import type { DecideReconnect, ReconnectPolicy } from './reconnect-budget.ts';
import type { ServerState } from './server-directory.ts';
import type { Session, SessionListeners } from './session.ts';

/** The part of a server's state that its supervisor knows (B20). */
export type ConnectionStatus = Pick<ServerState, 'state' | 'attempt' | 'nextDelayMs' | 'lastError'>;

/** What a supervisor drives. */
export interface SupervisorOptions {
  readonly serverName: string;
  /** How outages are retried; fixed for the life of the instance (S07). */
  readonly policy: ReconnectPolicy;
  /** Whether a failed first attempt opens an outage: not under `failOnStartupError` (S06). */
  readonly retryFirst: boolean;
  readonly clock: Clock;
  readonly decide: DecideReconnect;
  /** Connects. Rejects when the server is gone again; with `close-incomplete` when that is not proven. */
  readonly open: (listeners: SessionListeners) => Promise<Session>;
  /**
   * The listing that completes an attempt; rejects when it fails before the swap. Calls `onListed` between the end of
   * discovery and the swap.
   * @param attempt its number in the outage, 0 for the first start
   * @returns the registry conflict that rolled the swap back, which is no failure of the attempt (S32)
   */
  readonly sync: (session: Session, attempt: number, onListed: () => void) => Promise<BridgeError | undefined>;
  /** A list change was noticed on the present connection. */
  readonly onToolListChanged: () => void;
  /** The connection is up and listed, or gone. */
  readonly onLive: (live: boolean) => void;
  readonly onStatus: (status: ConnectionStatus) => void;
  /** Takes every tool out of the registry (S53). */
  readonly removeTools: () => void;
  /** How many tools are registered, for log lines. */
  readonly toolCount: () => number;
  readonly log: BridgeLog;
  /** Aborts when the instance is being disposed. */
  readonly signal: AbortSignal;
}

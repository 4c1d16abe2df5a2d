/**
 * One connection to one MCP server, as the rest of the bridge sees it. The protocol client behind it is an
 * implementation detail (`client-session.ts`); nothing else in the bridge imports the client library.
 */
import type { JsonObject } from './host-services.ts';

/** Why and how a connection ended. `detail` is what a person reads: exit code or signal, HTTP status, stderr tail (B06). */
export interface CloseReason {
  readonly kind: 'exit' | 'signal' | 'spawn-failed' | 'protocol' | 'http' | 'closed-by-bridge';
  readonly detail: string;
  /** What is still there, when the proof that the server is gone did not come within its time (S58); absent otherwise. */
  readonly leftover?: string;
}

/** Bounds of one request. */
export interface RequestLimits {
  /** Milliseconds until the request is given up. */
  readonly timeoutMs: number;
  /**
   * For a call: the longest it may take, milliseconds. Above `timeoutMs` the server is asked for progress, each notice of
   * which begins `timeoutMs` anew (B11). Default: `timeoutMs`.
   */
  readonly maxTotalMs?: number | undefined;
  /** The caller's signal; the session keeps no listener on it after the request settled. */
  readonly signal?: AbortSignal;
}

/** One page of `tools/list`: a list indeed, whose members are unchecked. */
export interface RawToolPage {
  readonly tools: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/** A live connection. All methods reject with a `BridgeError`. */
export interface Session {
  /**
   * One `tools/list` request (S24). Unknown members of a tool are kept, key order too (S25). An answer without a list, or
   * with a cursor that is neither text nor null, is refused with `discovery-failed`; a null cursor is none.
   */
  listToolsPage(cursor: string | undefined, limits: RequestLimits): Promise<RawToolPage>;
  /**
   * One `tools/call` request (S19, S34); the raw result object, unchecked.
   * Rejects with `call-aborted`, `call-timeout`, `connection-lost`, `rpc-error`, `not-connected`; `executed` is set.
   * Abort and timeout send exactly one `notifications/cancelled` with the request's id (B12).
   */
  callTool(rawName: string, args: JsonObject, limits: RequestLimits): Promise<JsonObject>;
  /** Whether requests can still be sent. */
  readonly isOpen: boolean;
  /** Resolves once, when the connection is gone: for stdio when the leader has exited and its group was killed (S58). */
  readonly closed: Promise<CloseReason>;
  /** Closes and waits until the server is gone, within the close limit; idempotent. Rejects with `close-incomplete`. */
  close(): Promise<void>;
}

/** What a session tells its owner. Listeners are called synchronously and must not throw. */
export interface SessionListeners {
  /** `notifications/tools/list_changed` arrived (S27). May be called before `openSession` resolves (S31). */
  onToolListChanged(): void;
  /** Something a person should know that is no failure: noise on stdout, stderr lines at debug level. */
  onDiagnostic(level: 'debug' | 'info' | 'warn', message: string): void;
  /**
   * The connection ended by itself: requests fail from now on. `Session.closed` follows when the server is proven gone,
   * which may take the whole close limit (S58). May be called before `openSession` rejects.
   */
  onLost?(reason: CloseReason): void;
}

/**
 * One connection over the official client library, behind the {@link Session} interface.
 *
 * The library brings the handshake, request ids and timers; everything a server sends is looked at before the library
 * sees it (`transport/session-wire.ts`). Nothing is advertised, and of the library's typed methods none is used: one odd
 * tool or block would fail the whole answer (B13).
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MAX_TIMER_MS, resolveConnectionLimits, type ConnectionLimits } from './connection-limits.ts';
import { BridgeError, describeError } from './errors.ts';
import type { SessionListeners } from './session.ts';
import { CLIENT_INFO } from './transport/client-info.ts';
import { connectFailure, withinConnectLimit } from './transport/connect-attempt.ts';
import { createCarrier, type ConnectionEffects, type ConnectionTarget } from './transport/create-carrier.ts';
import { setHandlers } from './transport/handlers.ts';
import { announcesListChanges, libraryInitializeResult, readInitializeResult, type ServerDescription } from './transport/handshake.ts';
import { ClientSession, type OpenedSession } from './transport/library-session.ts';
import { createRedactor, secretsInUrl } from './transport/redact.ts';
import { ReportLimiter } from './transport/report-limiter.ts';
import { SessionWire } from './transport/session-wire.ts';
import { unusedValidator } from './transport/unused-validator.ts';

export type { ConnectionEffects, ConnectionTarget, OpenedSession };

/** What {@link openSession} needs. */
export interface OpenSessionOptions {
  /** For messages only: which server. */
  readonly serverName: string;
  readonly target: ConnectionTarget;
  readonly listeners: SessionListeners;
  /** Bounds that differ from the defaults. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Gives the attempt up (S60); has no effect on a session that is open. */
  readonly signal?: AbortSignal | undefined;
  /** The outside world: spawn, ambient environment, fetch, clock. Production values by default. */
  readonly effects?: ConnectionEffects;
  /** Wraps the transport, for tests that change what crosses the wire. */
  readonly decorateTransport?: (transport: Transport) => Transport;
}

/**
 * Starts or reaches the server and completes the handshake.
 *
 * A rejected attempt has left nothing behind: it rejects after the process is proven gone (S58), except with
 * `close-incomplete`.
 * @throws BridgeError `connect-failed`, `connect-timeout` (B03), `protocol-unsupported` (B22), `disposed` (given up through
 * `signal`), `close-incomplete` (the failed attempt's process could not be ended; `cause` is the failure).
 */
export async function openSession(options: OpenSessionOptions): Promise<OpenedSession> {
  const { serverName, target, listeners, effects = {}, decorateTransport = (transport) => transport } = options;
  const where = `server ${JSON.stringify(serverName)}`;
  if (options.signal?.aborted === true) throw new BridgeError('disposed', `${where}: connecting was given up`);
  const limits = resolveConnectionLimits(options.limits);
  const redact = target.transport === 'stdio' ? createRedactor(target.env ?? {}) : createRedactor(target.headers ?? {}, secretsInUrl(target.url));
  const now = effects.now ?? (() => performance.now());
  const sink = (level: 'debug' | 'info' | 'warn', text: string): void => listeners.onDiagnostic(level, redact(text));
  const reports = new ReportLimiter(sink, limits.maxReportsPerSecond, now);
  let capabilities: ServerDescription['capabilities'] = {};
  const onGap = (): void => {
    if (announcesListChanges(capabilities)) listeners.onToolListChanged();
  };
  const carrier = locateFailure(where, () => createCarrier(target, { limits, redact, reports, effects, now, onGap }));
  let refused: unknown;
  const wire = new SessionWire(decorateTransport(carrier.transport), {
    onToolListChanged: () => listeners.onToolListChanged(),
    onEnd: () => {
      const { reason } = carrier;
      if (reason !== undefined && reason.kind !== 'closed-by-bridge') listeners.onLost?.(reason);
    },
    reports,
    maxWaitingReplies: limits.maxWaitingReplies,
    onInitializeResult: (result) => {
      try {
        return libraryInitializeResult(readInitializeResult(result));
      } catch (error) {
        refused = error;
        return {};
      }
    },
  });
  const client = new Client(CLIENT_INFO, { capabilities: {}, jsonSchemaValidator: unusedValidator });
  setHandlers(client, { onerror: (error) => reports.report('protocol', 'debug', describeError(error)) });
  let server: ServerDescription;
  try {
    await withinConnectLimit(client.connect(wire, { timeout: MAX_TIMER_MS }), limits.connectTimeoutMs, options.signal);
    // The library has its own reading of the answer; the last request until now is `initialize`.
    server = readInitializeResult(wire.takeLastSent()?.result);
    capabilities = server.capabilities;
  } catch (error) {
    const initialize = wire.takeLastSent();
    await wire.close();
    const end = await carrier.closed;
    const failure = connectFailure({ error: refused ?? error, initialize, end, lastWords: carrier.lastWords(), where, redact });
    if (end.leftover === undefined) throw failure;
    throw new BridgeError('close-incomplete', `${failure.message}; and ${end.leftover}`, { cause: failure });
  }
  return new ClientSession({ client, wire, carrier, server, where, redact });
}

/** Says where, for failures that come before there is a connection. */
function locateFailure<T>(where: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    throw new BridgeError(error.code, `${where}: ${error.message}`);
  }
}

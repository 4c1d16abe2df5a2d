/**
 * One connection over the official client library, behind the {@link Session} interface.
 *
 * The library brings the handshake, request ids and timers; everything a server sends is looked at before the library
 * sees it (`transport/session-wire.ts`). Nothing is advertised, and of the library's typed methods none is used: one odd
 * tool or block would fail the whole answer (B13).
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { clampTimerMs, MAX_TIMER_MS, resolveConnectionLimits, type ConnectionLimits } from './connection-limits.ts';
import { BridgeError, describeError } from './errors.ts';
import type { JsonObject } from './host-services.ts';
import type { CloseReason, RawToolPage, RequestLimits, Session, SessionListeners } from './session.ts';
import type { Carrier } from './transport/carrier.ts';
import { CLIENT_INFO } from './transport/client-info.ts';
import { createCarrier, type ConnectionEffects, type ConnectionTarget } from './transport/create-carrier.ts';
import { libraryInitializeResult, readInitializeResult, type ServerDescription } from './transport/handshake.ts';
import { createRedactor } from './transport/redact.ts';
import { ReportLimiter } from './transport/report-limiter.ts';
import { describeHttpError, notConnected, requestFailure, type RequestContext } from './transport/request-failure.ts';
import { SessionWire, type SentRequest } from './transport/session-wire.ts';

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

/** A session and what its server said about itself. */
export interface OpenedSession extends Session {
  readonly server: ServerDescription;
  /** The pid of a stdio server's leader. */
  readonly pid: number | undefined;
}

/** The library makes a schema compiler for each client unless it is given one; this one is never asked. */
const unusedValidator: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

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
  const redact = createRedactor((target.transport === 'stdio' ? target.env : target.headers) ?? {});
  const now = effects.now ?? (() => performance.now());
  const sink = (level: 'debug' | 'info' | 'warn', text: string): void => listeners.onDiagnostic(level, redact(text));
  const reports = new ReportLimiter(sink, limits.maxReportsPerSecond, now);
  const carrier = createCarrier(target, { limits, redact, reports, effects });
  let server: ServerDescription | undefined;
  let refused: unknown;
  const wire = new SessionWire(decorateTransport(carrier.transport), {
    onToolListChanged: () => listeners.onToolListChanged(),
    reports,
    maxRepliesInFlight: limits.maxRepliesInFlight,
    onInitializeResult: (result) => {
      try {
        server = readInitializeResult(result);
        return libraryInitializeResult(server);
      } catch (error) {
        refused = error;
        return {};
      }
    },
  });
  const client = new Client(CLIENT_INFO, { capabilities: {}, jsonSchemaValidator: unusedValidator });
  client.onerror = (error) => reports.report('protocol', 'debug', describeError(error));
  try {
    await withinConnectLimit(client.connect(wire, { timeout: MAX_TIMER_MS }), limits.connectTimeoutMs, options.signal);
    if (server === undefined) throw new BridgeError('connect-failed', 'initialize was not answered');
  } catch (error) {
    const failure = connectFailure(refused ?? error, wire.takeLastSent(), carrier, where, redact);
    await wire.close();
    const { leftover } = await carrier.closed;
    if (leftover === undefined) throw failure;
    throw new BridgeError('close-incomplete', `${failure.message}; and ${leftover}`, { cause: failure });
  }
  return new ClientSession({ client, wire, carrier, server, where, redact });
}

/** Bounds the whole attempt (B03). The library's own timer is not used: it would cancel `initialize`, which must not be. */
async function withinConnectLimit(attempt: Promise<void>, limitMs: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => {};
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new BridgeError('connect-timeout', timeoutText(limitMs))), limitMs);
    onAbort = () => reject(new BridgeError('disposed', 'connecting was given up'));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([attempt, limit]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function timeoutText(limitMs: number): string {
  return `the server did not complete the handshake within ${limitMs} ms; look at its output, or raise \`connectTimeoutMs\` if it starts slowly`;
}

function connectFailure(
  error: unknown,
  initialize: SentRequest | undefined,
  carrier: Carrier,
  where: string,
  redact: (text: string) => string,
): BridgeError {
  const { outcome } = initialize ?? {};
  const lastWords = carrier.lastWords();
  const tail = lastWords === '' ? '' : `; its stderr ended with:\n${lastWords}`;
  if (error instanceof BridgeError) {
    const seeTail = error.code === 'connect-timeout' || error.code === 'protocol-unsupported';
    const text = `${where}: ${error.message}${seeTail ? tail : ''}`;
    return new BridgeError(error.code, text, { cause: error.cause });
  }
  if (outcome?.kind === 'error') {
    const { code, message } = (outcome.error ?? {}) as { code?: unknown; message?: unknown };
    const text = `${where}: initialize was answered with error ${String(code)}: ${redact(describeError(message))}${tail}`;
    return new BridgeError('connect-failed', text, typeof code === 'number' ? { rpcCode: code } : {});
  }
  if (carrier.reason !== undefined) {
    return new BridgeError('connect-failed', `${where}: before it answered initialize, ${carrier.reason.detail}`);
  }
  const cause = outcome?.kind === 'send-failed' ? outcome.error : error;
  return new BridgeError('connect-failed', `${where}: ${redact(describeHttpError(cause))}${tail}`, { cause });
}

interface ClientSessionParts {
  readonly client: Client;
  readonly wire: SessionWire;
  readonly carrier: Carrier;
  readonly server: ServerDescription;
  readonly where: string;
  readonly redact: (text: string) => string;
}

/** See {@link Session}. Over HTTP `closed` resolves when the bridge closes; a server that is lost shows in its requests. */
class ClientSession implements OpenedSession {
  readonly server: ServerDescription;
  readonly closed: Promise<CloseReason>;
  readonly #parts: ClientSessionParts;
  #ended: CloseReason | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: ClientSessionParts) {
    this.#parts = parts;
    this.server = parts.server;
    this.closed = parts.carrier.closed;
    void this.closed.then((reason) => {
      this.#ended = reason;
      parts.wire.end();
    });
  }

  get pid(): number | undefined {
    return this.#parts.carrier.pid;
  }

  get isOpen(): boolean {
    return this.#closing === undefined && !this.#parts.wire.ended && this.#parts.carrier.reason === undefined;
  }

  async listToolsPage(cursor: string | undefined, limits: RequestLimits): Promise<RawToolPage> {
    const params = cursor === undefined ? undefined : { cursor };
    const context = this.#context('tools/list', limits, 'discoveryTimeoutMs', 'discovery-timeout', 'discovery-failed');
    const page = await this.#request('tools/list', params, limits, context);
    const { tools, nextCursor } = (typeof page === 'object' && page !== null ? page : {}) as Record<string, unknown>;
    if (!Array.isArray(tools)) throw new BridgeError('discovery-failed', `${context().where} was answered without a \`tools\` array`);
    if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string') {
      throw new BridgeError('discovery-failed', `${context().where} was answered with a \`nextCursor\` that is no string`);
    }
    return { tools, nextCursor: nextCursor ?? undefined };
  }

  async callTool(rawName: string, args: JsonObject, limits: RequestLimits): Promise<JsonObject> {
    const what = `tools/call ${JSON.stringify(rawName.length > 100 ? `${rawName.slice(0, 99)}…` : rawName)}`;
    const context = this.#context(what, limits, 'toolCallTimeoutMs', 'call-timeout', 'rpc-error');
    const result = await this.#request('tools/call', { name: rawName, arguments: args }, limits, context);
    if (typeof result !== 'object' || result === null || Array.isArray(result)) {
      throw new BridgeError('result-invalid', `${context().where} was answered with a result that is no object`, { executed: 'yes' });
    }
    return result as JsonObject;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { wire, where } = this.#parts;
    // Calls in flight end now, not after the grace of a server that may never answer.
    wire.end();
    await wire.close();
    const leftover = this.#ended?.leftover;
    if (leftover !== undefined) throw new BridgeError('close-incomplete', `${where}: the server was not ended: ${leftover}`);
  }

  /** The raw result. The library is given no signal: it would add a listener for each call and keep it (B24). */
  async #request(
    method: string,
    params: Record<string, unknown> | undefined,
    { signal, timeoutMs }: RequestLimits,
    context: () => RequestContext,
  ): Promise<unknown> {
    const { client, wire } = this.#parts;
    if (signal?.aborted === true) {
      throw new BridgeError('call-aborted', `${context().where} was given up before it was sent`, { executed: 'no' });
    }
    if (!this.isOpen) throw notConnected(context());
    const request = params === undefined ? { method } : { method, params };
    const answer = client.request(request, ResultSchema, { timeout: clampTimerMs(timeoutMs) });
    const sent = wire.takeLastSent();
    const onAbort = (): void => {
      if (sent !== undefined) wire.abort(sent, 'the caller gave up');
    };
    signal?.addEventListener('abort', onAbort);
    try {
      await answer;
    } catch (error) {
      throw requestFailure(sent, error, context());
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
    return sent?.outcome?.kind === 'result' ? sent.outcome.result : undefined;
  }

  /** Made only when a request failed. */
  #context(
    what: string,
    limits: RequestLimits,
    timeoutOption: string,
    timeout: 'call-timeout' | 'discovery-timeout',
    error: 'rpc-error' | 'discovery-failed',
  ): () => RequestContext {
    const { where, redact, carrier } = this.#parts;
    return () => ({
      where: `${where}: ${what}`,
      timeoutMs: limits.timeoutMs,
      timeoutOption,
      codes: { timeout, error },
      lossDetail: this.#closing === undefined ? carrier.reason?.detail : 'it was closed by the bridge',
      redact,
    });
  }
}

/**
 * Sits between the transport and the protocol library and sees every message first.
 *
 * - Requests: learns their ids as the library sends them (it does so synchronously), and keeps the answers as they came,
 *   so that no schema of the library judges or rewrites them; the library gets a plain answer and clears its tables.
 *   An answer the library would not recognise settles its request all the same (B05, B13).
 * - List changes are recognised before the library parses them (B02).
 * - Requests of the server are answered at once (`server-requests.ts`, B21).
 */
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, type JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { BridgeError, describeError } from '../errors.ts';
import { setHandlers } from './handlers.ts';
import { isObject } from './narrow.ts';
import type { ReportLimiter } from './report-limiter.ts';
import { readRpcError } from './request-failure.ts';
import { idOf } from './request-id.ts';
import type { SentRequest, WireOutcome } from './sent-request.ts';
import { ServerRequests } from './server-requests.ts';

/** What a {@link SessionWire} reports and what bounds it. */
export interface SessionWireOptions {
  readonly onToolListChanged: () => void;
  /** Called once, when no request can be sent or answered any more, whoever ended it. */
  readonly onEnd?: () => void;
  readonly reports: ReportLimiter;
  /** See `ConnectionLimits.maxWaitingReplies`. */
  readonly maxWaitingReplies: number;
  /** Called with the raw result of `initialize`; what it returns is what the library sees. */
  readonly onInitializeResult: (result: unknown) => Record<string, unknown>;
}

/** A message as it comes: nothing but the envelope has been looked at. */
interface RawMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The result the library sees in place of every real one. */
const EMPTY_RESULT: Record<string, unknown> = Object.freeze({});

/** See the module's comment. */
export class SessionWire implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #inner: Transport;
  readonly #options: SessionWireOptions;
  readonly #asked: ServerRequests;
  readonly #pending = new Map<number, SentRequest>();
  /** What waits for progress, by token. */
  readonly #progress = new Map<number, () => void>();
  #lastSent: SentRequest | undefined;
  #ended = false;
  #strays = 0;

  constructor(inner: Transport, options: SessionWireOptions) {
    this.#inner = inner;
    this.#options = options;
    this.#asked = new ServerRequests({
      send: (reply) => inner.send(reply),
      maxWaitingReplies: options.maxWaitingReplies,
      report: (message) => this.#report(message),
    });
  }

  /** Whether the connection has ended, seen from here. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Errors of the server that belong to no request. */
  get strays(): number {
    return this.#strays;
  }

  /** Requests without an answer. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  async start(): Promise<void> {
    setHandlers(this.#inner, {
      onmessage: (message) => this.#receive(message),
      onerror: (error) => this.onerror?.(error),
      onclose: () => this.end(),
    });
    await this.#inner.start();
  }

  /** Ends every request in flight. Called when the transport closes; idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#pending.clear();
    this.#asked.end();
    this.onclose?.();
    this.#options.onEnd?.();
  }

  /** Never rejects: the library does not wait for it (B27). */
  async close(): Promise<void> {
    try {
      await this.#inner.close();
    } catch (error) {
      this.#report(`closing failed: ${String(error)}`);
    }
    this.end();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /** The request the library sent last; cleared by the call. Read it right after `client.request`. */
  takeLastSent(): SentRequest | undefined {
    const sent = this.#lastSent;
    this.#lastSent = undefined;
    return sent;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return this.#inner.send(message, options);
    if ('id' in message) return this.#sendRequest(message, options);
    if (message.method === 'notifications/cancelled') {
      // The library's own timeout: from now on an answer is late.
      this.#pending.delete(idOf(message.params?.['requestId']));
    }
    return this.#inner.send(message, options);
  }

  async #sendRequest(message: JSONRPCRequest, options: TransportSendOptions | undefined): Promise<void> {
    const sent: SentRequest = { id: idOf(message.id), method: message.method, outcome: undefined, result: undefined };
    this.#pending.set(sent.id, sent);
    this.#lastSent = sent;
    try {
      await this.#inner.send(message, options);
    } catch (error) {
      // The library keeps its entry of a request that could not be sent; an answer clears it.
      if (this.#settle(sent, { kind: 'send-failed', error: unwritable(message) ?? error })) return;
      throw error;
    }
  }

  /** Calls `onProgress` for each notice of progress with this token (B11). @returns ends that. */
  watchProgress(token: number, onProgress: () => void): () => void {
    this.#progress.set(token, onProgress);
    return () => this.#progress.delete(token);
  }

  /** Gives a request up: tells the server once, and the library too (B12). @returns whether it was in flight. */
  abort(sent: SentRequest, reason: string, kind: 'aborted' | 'silent' = 'aborted'): boolean {
    if (!this.#settle(sent, { kind })) return false;
    const params = { requestId: sent.id, reason };
    this.#inner.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch((error: unknown) => {
      this.#report(`a cancellation could not be sent: ${String(error)}`);
    });
    return true;
  }

  #settle(sent: SentRequest, outcome: WireOutcome, raw?: unknown): boolean {
    if (this.#pending.get(sent.id) !== sent) return false;
    this.#pending.delete(sent.id);
    sent.outcome = outcome;
    if (outcome.kind === 'result') {
      sent.result = raw;
      const result = sent.method === 'initialize' ? this.#options.onInitializeResult(raw) : EMPTY_RESULT;
      this.onmessage?.({ jsonrpc: '2.0', id: sent.id, result });
    } else {
      this.onmessage?.({ jsonrpc: '2.0', id: sent.id, error: { code: ErrorCode.InternalError, message: outcome.kind } });
    }
    return true;
  }

  #receive(message: JSONRPCMessage): void {
    const raw: RawMessage = message;
    if (typeof raw.method === 'string') {
      if (this.#isEcho(raw)) return;
      if (raw.id !== undefined) this.#asked.answer(raw.method, raw.id);
      else if (raw.method === 'notifications/tools/list_changed') this.#options.onToolListChanged();
      else if (raw.method === 'notifications/progress') this.#progressed(raw.params);
      return;
    }
    const sent = this.#pending.get(idOf(raw.id));
    if (sent === undefined) {
      if (raw.id === undefined || raw.id === null) this.#stray(raw.error);
      return;
    }
    // Some servers write both members always, and `null` into the one that does not apply.
    const isResult = raw.error === undefined || (raw.error === null && isObject(raw.result));
    if (isResult) this.#settle(sent, { kind: 'result' }, raw.result);
    else this.#settle(sent, { kind: 'error', error: raw.error });
  }

  /** A server asks nobody to `initialize`: a program that does repeats what it is sent, and would answer its own refusal. */
  #isEcho({ method, id }: RawMessage): boolean {
    const sent = method === 'initialize' ? this.#pending.get(idOf(id)) : undefined;
    return sent !== undefined && this.#settle(sent, { kind: 'echoed' });
  }

  /** An error without an id: of what the server could not read. It may have been the request that waits. */
  #stray(error: unknown): void {
    this.#strays += 1;
    if (this.#options.reports.open('protocol')) this.#options.reports.report('protocol', 'warn', `the server sent an error that belongs to no request: ${readRpcError(error, (text) => text).text}`);
  }

  #progressed(params: unknown): void {
    if (isObject(params)) this.#progress.get(idOf(params['progressToken']))?.();
  }

  #report(message: string): void {
    this.#options.reports.report('protocol', 'debug', message);
  }
}

/** Why a request cannot be written as JSON, if it cannot; asked only about one that could not be sent. */
function unwritable(request: JSONRPCRequest): BridgeError | undefined {
  try {
    JSON.stringify(request);
    return undefined;
  } catch (error) {
    return new BridgeError('arguments-invalid', `its arguments cannot be written as JSON (${describeError(error)})`, { cause: error, executed: 'no' });
  }
}

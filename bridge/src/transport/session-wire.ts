/**
 * Sits between the transport and the protocol library and sees every message first.
 *
 * - Requests: learns their ids as the library sends them (it does so synchronously), and keeps the answers as they came,
 *   so that no schema of the library judges or rewrites them; the library gets a plain answer and clears its tables.
 *   An answer the library would not recognise settles its request all the same (B05, B13).
 * - List changes are recognised before the library parses them (B02).
 * - `ping` is answered and every other request of the server refused, at once (B21).
 */
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, type JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { BridgeError, describeError } from '../errors.ts';
import { setHandlers } from './handlers.ts';
import { isObject } from './narrow.ts';
import type { ReportLimiter } from './report-limiter.ts';
import { idOf } from './request-id.ts';

/** How a request ended, as far as the wire knows; `undefined` while it is in flight or when the library gave it up. */
export type WireOutcome =
  | { readonly kind: 'result' }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'send-failed'; readonly error: unknown }
  | { readonly kind: 'aborted' }
  /** Nothing came for too long, not even progress (B11). */
  | { readonly kind: 'silent' };

/** One request of ours. */
export interface SentRequest {
  readonly id: number;
  readonly method: string;
  outcome: WireOutcome | undefined;
  /** The raw result, once that is the outcome. */
  result: unknown;
}

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

/** Answers to the server that are sent at the same time; over HTTP each one is a request of its own. */
const CONCURRENT_REPLIES = 16;
/** Longest id of a server's request, in UTF-16 units; nobody needs a longer one and it would be held until it is sent. */
const LONGEST_ID = 1_000;

/** The result the library sees in place of every real one. */
const EMPTY_RESULT: Record<string, unknown> = Object.freeze({});

/** See the module's comment. */
export class SessionWire implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #inner: Transport;
  readonly #options: SessionWireOptions;
  readonly #pending = new Map<number, SentRequest>();
  /** What waits for progress, by token. */
  readonly #progress = new Map<number, () => void>();
  #lastSent: SentRequest | undefined;
  readonly #waitingReplies: JSONRPCMessage[] = [];
  #repliesInFlight = 0;
  #ended = false;

  constructor(inner: Transport, options: SessionWireOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  /** Whether the connection has ended, seen from here. */
  get ended(): boolean {
    return this.#ended;
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
    this.#waitingReplies.length = 0;
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

  async #sendRequest(
    message: JSONRPCRequest,
    options: TransportSendOptions | undefined,
  ): Promise<void> {
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
      if (raw.id !== undefined) this.#answer(raw.method, raw.id);
      else if (raw.method === 'notifications/tools/list_changed') this.#options.onToolListChanged();
      else if (raw.method === 'notifications/progress') this.#progressed(raw.params);
      return;
    }
    const sent = this.#pending.get(idOf(raw.id));
    if (sent === undefined) {
      if (raw.id === undefined || raw.id === null) this.#report('the server sent an error that belongs to no request');
      return;
    }
    if (raw.error !== undefined) this.#settle(sent, { kind: 'error', error: raw.error });
    else this.#settle(sent, { kind: 'result' }, raw.result);
  }

  #progressed(params: unknown): void {
    if (isObject(params)) this.#progress.get(idOf(params['progressToken']))?.();
  }

  /** Answers a request of the server. More than may wait are dropped: a server that does not read gets no memory (B01). */
  #answer(method: string, id: unknown): void {
    if (typeof id !== 'number' && (typeof id !== 'string' || id.length > LONGEST_ID)) return;
    if (this.#waitingReplies.length >= this.#options.maxWaitingReplies) {
      this.#report(`a request of the server (${method.slice(0, 100)}) was dropped: it does not read the answers`);
      return;
    }
    this.#waitingReplies.push(
      method === 'ping'
        ? { jsonrpc: '2.0', id, result: {} }
        : { jsonrpc: '2.0', id, error: { code: ErrorCode.MethodNotFound, message: 'Method not found' } },
    );
    if (this.#repliesInFlight < CONCURRENT_REPLIES) void this.#sendReplies();
  }

  async #sendReplies(): Promise<void> {
    this.#repliesInFlight += 1;
    for (let reply = this.#waitingReplies.shift(); reply !== undefined; reply = this.#waitingReplies.shift()) {
      try {
        await this.#inner.send(reply);
      } catch (error) {
        this.#report(`an answer could not be sent: ${String(error)}`);
      }
    }
    this.#repliesInFlight -= 1;
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

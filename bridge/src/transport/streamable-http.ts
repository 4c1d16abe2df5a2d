/**
 * MCP over Streamable HTTP (B09, B10). An own transport over the platform's `fetch`: the library's keeps to itself what happens to
 * its streams, and can be neither bounded nor told that nobody waits any more.
 *
 * `closed` resolves when the bridge closes, or when the session or the server is found to be gone: by what a request
 * meets, by the loss of the stream for notices, and where that is no proof, by a `ping`.
 */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCNotification } from '@modelcontextprotocol/sdk/types.js';
import { BridgeError, describeError } from '../errors.ts';
import type { CloseReason } from '../session.ts';
import type { Carrier } from './carrier.ts';
import { deferred } from './deferred.ts';
import { discard } from './http-body.ts';
import { openSockets } from './http-dispatcher.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { HttpExchange, type ExchangeContext } from './http-exchange.ts';
import { HttpFailure } from './http-failure.ts';
import { usableHeaders } from './http-headers.ts';
import type { HttpTransportOptions } from './http-options.ts';
import { parseUrl } from './http-url.ts';
import { ignore } from './ignore.ts';
import { lostSessionWords, sessionLostAnswer, type ErrorAnswer } from './lost-session.ts';
import { NoticeStream } from './notice-stream.ts';
import { idOf } from './request-id.ts';
import { SessionProbe } from './session-probe.ts';

/** See the module's comment. The constructor throws `connect-failed` for an unusable URL or header; `close` never rejects. */
export class HttpTransport implements Transport, Carrier {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly transport: Transport = this;
  readonly pid = undefined;
  readonly closed: Promise<CloseReason>;
  readonly #options: HttpTransportOptions;
  readonly #url: URL;
  readonly #resolveClosed: (reason: CloseReason) => void;
  readonly #endpoint: HttpEndpoint;
  readonly #context: ExchangeContext;
  readonly #probe: SessionProbe;
  readonly #notices: NoticeStream;
  readonly #exchanges = new Map<number, HttpExchange>();
  /** Notices, answers and the deletion that are under way. */
  readonly #posts = new Set<AbortController>();
  #isEstablished = false;
  #skipped = 0;
  #reason: CloseReason | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: HttpTransportOptions) {
    const { limits, now, onGap, sessionLostOn400 } = options;
    this.#options = options;
    this.#url = parseUrl(options.url);
    const headers = usableHeaders(options.headers, (message) => this.#report('warn', message));
    const { promise, resolve } = deferred<CloseReason>();
    this.closed = promise;
    this.#resolveClosed = resolve;
    const endpoint = new HttpEndpoint({ url: this.#url, headers, fetch: options.fetch, errorBodyTimeoutMs: limits.errorBodyTimeoutMs, sessionLostOn400 });
    const deliver = (message: JSONRPCMessage): void => this.#deliver(message);
    const onTrouble = (failure: unknown): void => this.#trouble(failure);
    const onNoise = (what: string): void => {
      this.#skipped += 1;
      this.#report('debug', what);
    };
    this.#endpoint = endpoint;
    this.#context = { endpoint, limits, now, deliver, onTrouble, hasNoticeStream: () => this.#notices.isOpen, onNoise };
    this.#probe = new SessionProbe(endpoint, limits.probeTimeoutMs, (why) => this.#lose(why));
    this.#notices = new NoticeStream({ endpoint, limits, now, deliver, onGap, onTrouble, onNoise, report: (level, message) => this.#report(level, message) });
  }

  get reason(): CloseReason | undefined {
    return this.#reason;
  }

  get skipped(): number {
    return this.#skipped;
  }

  async start(): Promise<void> {
    const { fetch: custom, proxy, limits } = this.#options;
    if (custom === undefined) this.#endpoint.sockets = await openSockets(this.#url, proxy, limits.connectTimeoutMs);
  }

  /** A request's promise settles when it is answered or given up; it rejects when no answer can come any more (B05). */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#reason !== undefined) throw new BridgeError('not-connected', 'the connection is closed', { executed: 'no' });
    const body = JSON.stringify(message);
    try {
      if ('method' in message && 'id' in message) await this.#request(message.method, idOf(message.id), body);
      else if ('method' in message) await this.#notify(message, body);
      else await this.#post(body);
    } catch (error) {
      if (error instanceof HttpFailure && this.#isEstablished) this.#judge(error);
      throw error;
    }
  }

  setProtocolVersion(version: string): void {
    this.#endpoint.protocolVersion = version;
  }

  lastWords(): string {
    return '';
  }

  /** Ends every request and deletes the session, within `closeGraceMs`. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #request(method: string, id: number, body: string): Promise<void> {
    const exchange = new HttpExchange(this.#context, id);
    this.#exchanges.set(id, exchange);
    try {
      await exchange.run(body, method === 'tools/call', ({ headers }) => {
        if (method === 'initialize') this.#endpoint.sessionId = headers.get('mcp-session-id') ?? undefined;
      });
    } finally {
      this.#exchanges.delete(id);
    }
  }

  async #notify(message: JSONRPCNotification, body: string): Promise<void> {
    // The session has settled the request; its stream ends once the server was told, and soon if that takes long.
    const givenUp = message.method === 'notifications/cancelled' ? this.#exchanges.get(idOf(message.params?.['requestId'])) : undefined;
    givenUp?.answered();
    try {
      await this.#post(body);
    } finally {
      givenUp?.giveUp();
    }
    if (message.method !== 'notifications/initialized') return;
    this.#isEstablished = true;
    void this.#notices.run();
  }

  async #post(body: string): Promise<void> {
    const { connectTimeoutMs, noticePostTimeoutMs } = this.#options.limits;
    await this.#within(this.#isEstablished ? noticePostTimeoutMs : connectTimeoutMs, async (signal) => {
      const response = await this.#endpoint.send({ method: 'POST', body, signal });
      if (!response.ok) throw await this.#endpoint.refusal(response);
      discard(response);
    });
  }

  /** Work with a limit, which ends with the connection at the latest. */
  async #within(limitMs: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new HttpFailure(`the server did not answer within ${limitMs} ms`, { executed: 'unknown', evidence: 'none' })), limitMs);
    this.#posts.add(abort);
    try {
      await work(abort.signal);
    } finally {
      clearTimeout(timer);
      this.#posts.delete(abort);
    }
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message) {
      this.onmessage?.(message);
      return;
    }
    this.#exchanges.get(idOf(message.id))?.answered();
    const mayBeLost = this.#isEstablished && this.#endpoint.mayLoseSession;
    if (mayBeLost && 'error' in message && lostSessionWords(message) !== undefined) void this.#deliverAfterProbe(message);
    else this.onmessage?.(message);
  }

  /** An error that says that the session is gone may be a tool's own: a `ping` tells, and with it whether the call ran. */
  async #deliverAfterProbe(message: ErrorAnswer): Promise<void> {
    await this.#probe.begin();
    this.onmessage?.(this.#reason?.kind === 'http' ? sessionLostAnswer(message) : message);
  }

  #judge({ evidence, message }: HttpFailure): void {
    if (evidence === 'lost') this.#lose(message);
    else if (evidence === 'doubt') void this.#probe.begin();
  }

  /** A stream could not be had. What the network says of the server counts; what a GET is refused with is no proof (R48). */
  #trouble(failure: unknown): void {
    if (!(failure instanceof HttpFailure)) this.#report('warn', `the event stream was begun anew: ${describeError(failure)}`);
    else if (failure.httpStatus === undefined) this.#judge(failure);
    else void this.#probe.begin();
  }

  /** Says that the connection is lost: nothing more is sent from now on. */
  #lose(why: string): void {
    if (this.#reason !== undefined) return;
    const reason: CloseReason = { kind: 'http', detail: this.#options.redact(why) };
    this.#reason = reason;
    void this.#endLost(reason);
  }

  /** Requests that were sent at the same time meet the same end within moments; each then knows by itself whether it ran (B04). */
  async #endLost(reason: CloseReason): Promise<void> {
    const grace = new AbortController();
    const heard = Promise.all([...this.#exchanges.values()].map((exchange) => exchange.heard));
    await Promise.race([heard, pause(this.#options.limits.lossGraceMs, undefined, { signal: grace.signal }).catch(ignore)]);
    grace.abort();
    // Their failures reach their callers before the end does.
    await turn();
    this.#endWork();
    void this.#endpoint.sockets.destroy();
    this.onclose?.();
    this.#resolveClosed(reason);
  }

  #endWork(): void {
    this.#notices.stop();
    this.#probe.stop();
    for (const exchange of this.#exchanges.values()) exchange.giveUp();
    for (const post of this.#posts) post.abort();
  }

  async #close(): Promise<void> {
    if (this.#reason === undefined) {
      const reason: CloseReason = { kind: 'closed-by-bridge', detail: 'closed by the bridge' };
      this.#reason = reason;
      this.#endWork();
      await this.#deleteSession();
      await this.#endpoint.sockets.destroy();
      this.onclose?.();
      this.#resolveClosed(reason);
    }
    await this.closed;
  }

  /** A server may refuse (405), have forgotten the session, or be gone: none of it keeps a connection from closing (R52). */
  async #deleteSession(): Promise<void> {
    if (this.#endpoint.sessionId === undefined) return;
    try {
      await this.#within(this.#options.limits.closeGraceMs, async (signal) => {
        const response = await this.#endpoint.send({ method: 'DELETE', signal });
        if (response.ok || response.status === 405) discard(response);
        else throw await this.#endpoint.refusal(response);
      });
    } catch (error) {
      this.#report('warn', `the session was not deleted: ${describeError(error)}`);
    }
  }

  #report(level: 'debug' | 'warn', message: string): void {
    this.#options.reports.report('protocol', level, message);
  }
}

/**
 * One MCP endpoint: builds every request to it and sends them there and nowhere else (S04).
 *
 * Redirects are followed as `redirects.ts` says: anything else would carry headers to a stranger, turn a call into a look-up or
 * send it twice. Where a POST was led and answered well, the next requests go at once, so that calls are led nowhere.
 */
import { statusFailure, strangeAnswer, type HttpFailure } from './http-failure.ts';
import { networkFailure } from './network-failure.ts';
import { nextAddress, type StoppedRedirect, type Trail } from './redirects.ts';
import { discard, readSnippet } from './http-body.ts';
import type { FetchFunction } from './http-headers.ts';
import { FOREIGN_SOCKETS, type HttpSockets } from './http-dispatcher.ts';

/** What every request needs. */
export interface EndpointOptions {
  readonly url: URL;
  /** The configured headers that may be sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** A custom one, or `undefined` for the platform's at the time of each request. */
  readonly fetch: FetchFunction | undefined;
  /** See `ConnectionLimits.errorBodyTimeoutMs`. */
  readonly errorBodyTimeoutMs: number;
  readonly sessionLostOn400: boolean;
}

/** One request. */
export interface EndpointRequest {
  readonly method: Trail['method'];
  /** Whether it is a call, which is sent once, whatever it is answered (B04). */
  readonly isOnce?: boolean;
  readonly body?: string;
  /** Resumes an event stream (`Last-Event-ID`). */
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
}

/** Statuses by which an address that was learned from a redirect turns out to be none any more. */
const GONE = new Set([404, 410]);

/** What a server of MCP answers a POST with. */
const ANSWERS = new Set(['application/json', 'text/event-stream']);

const ACCEPT = { POST: 'application/json, text/event-stream', GET: 'text/event-stream', DELETE: '*/*' } as const;

/** See the module's comment. */
export class HttpEndpoint {
  readonly #options: EndpointOptions;
  readonly #posting: Readonly<Record<string, string>>;
  /** What is known of an answer beside what it holds. */
  readonly #known = new WeakMap<Response, { readonly method: Trail['method']; readonly redirect: StoppedRedirect | undefined }>();
  /** Where requests go. */
  #address: URL;
  /** The platform's until there are own ones. */
  sockets: HttpSockets = FOREIGN_SOCKETS;
  sessionId: string | undefined;
  protocolVersion: string | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#address = options.url;
    this.#posting = { ...options.headers, accept: ACCEPT.POST, 'content-type': 'application/json' };
  }

  /** The server, as a message names it. */
  get #place(): string {
    return `${this.#options.url.origin}${this.sockets.proxy === undefined ? '' : ' (through the proxy of the environment)'}`;
  }

  /**
   * Sends one request and gives its answer, whatever the status; the caller reads or discards the body.
   * @throws HttpFailure when there is no answer; what `fetch` threw when the signal aborted
   */
  async send(request: EndpointRequest): Promise<Response> {
    const init = this.#initOf(request);
    const { method, isOnce = false } = request;
    let at = this.#address;
    const been = new Set([at.href]);
    for (;;) {
      const response = await this.#fetch(at, init);
      const next = nextAddress(response, { method, isOnce, at, been });
      if (!(next instanceof URL)) {
        this.#known.set(response, { method, redirect: next });
        this.#learn(method, at, response);
        return response;
      }
      discard(response);
      been.add(next.href);
      at = next;
    }
  }

  #learn(method: Trail['method'], at: URL, response: Response): void {
    if (method !== 'POST') return;
    if (GONE.has(response.status)) this.#address = this.#options.url;
    else if (response.ok && (response.status === 202 || ANSWERS.has(mediaType(response)))) this.#address = at;
  }

  /** Why an answer that is no success is none; reads the beginning of its body. */
  async refusal(response: Response): Promise<HttpFailure> {
    const { method = 'POST', redirect } = this.#known.get(response) ?? {};
    return statusFailure({
      status: response.status,
      body: await this.textOf(response),
      contentType: mediaType(response),
      redirect,
      method,
      place: this.#place,
      hasHeaders: Object.keys(this.#options.headers).length > 0,
      hasSession: this.sessionId !== undefined,
      sessionLostOn400: this.#options.sessionLostOn400,
    });
  }

  /** Why a success is no answer: it is neither JSON nor an event stream. */
  async strangeness(response: Response): Promise<HttpFailure> {
    const { method = 'POST' } = this.#known.get(response) ?? {};
    return strangeAnswer({ contentType: mediaType(response), body: await this.textOf(response), method, place: this.#place });
  }

  /** The beginning of an answer's body, as far as it comes in time. */
  textOf(response: Response): Promise<string> {
    return readSnippet(response, this.#options.errorBodyTimeoutMs);
  }

  /** Whether errors that speak of the session may mean its end (R46). */
  get mayLoseSession(): boolean {
    return this.sessionId !== undefined && this.#options.sessionLostOn400;
  }

  async #fetch(target: URL, init: RequestInit): Promise<Response> {
    try {
      return await (this.#options.fetch ?? fetch)(target, init);
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw networkFailure(error, this.#options.url.origin, this.sockets.proxy);
    }
  }

  #initOf({ method, body, lastEventId, signal }: EndpointRequest): RequestInit {
    const headers: Record<string, string> = method === 'POST' ? { ...this.#posting } : { ...this.#options.headers, accept: ACCEPT[method] };
    if (this.sessionId !== undefined) headers['mcp-session-id'] = this.sessionId;
    if (this.protocolVersion !== undefined) headers['mcp-protocol-version'] = this.protocolVersion;
    // A header holds bytes: those of the id as the server sent it.
    if (lastEventId !== undefined) headers['last-event-id'] = Buffer.from(lastEventId).toString('latin1');
    const init: RequestInit = { method, headers, signal, redirect: 'manual', body: body ?? null };
    // A custom fetch has sockets of its own.
    if (this.#options.fetch === undefined) Object.assign(init, { dispatcher: this.sockets.dispatcher });
    return init;
  }
}

/** The media type of an answer, lower case, without parameters; empty when there is none. */
export function mediaType(response: Response): string {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

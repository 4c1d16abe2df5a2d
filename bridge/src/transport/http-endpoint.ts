/**
 * One MCP endpoint: builds every request to it and sends them there and nowhere else (S04).
 *
 * Redirects are followed within the origin only, at most {@link MAX_REDIRECTS} in a row, and a request with a body only where
 * the status keeps method and body (307, 308): anything else would carry headers to a stranger or turn a call into a look-up.
 */
import { networkFailure, statusFailure, strangeAnswer, type HttpFailure } from './http-failure.ts';
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
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly body?: string;
  /** Resumes an event stream (`Last-Event-ID`). */
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
}

/** Redirects in a row that are followed. */
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const KEEPS_METHOD = new Set([307, 308]);

const ACCEPT = { POST: 'application/json, text/event-stream', GET: 'text/event-stream', DELETE: '*/*' } as const;

/** See the module's comment. */
export class HttpEndpoint {
  readonly #options: EndpointOptions;
  readonly #posting: Readonly<Record<string, string>>;
  /** The platform's until there are own ones. */
  sockets: HttpSockets = FOREIGN_SOCKETS;
  sessionId: string | undefined;
  protocolVersion: string | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#posting = { ...options.headers, accept: ACCEPT.POST, 'content-type': 'application/json' };
  }

  /** The server, as a message names it. */
  get #place(): string {
    return `${this.#options.url.origin}${this.sockets.isProxied ? ' (through the proxy of the environment)' : ''}`;
  }

  /**
   * Sends one request and gives its answer, whatever the status; the caller reads or discards the body.
   * @throws HttpFailure when there is no answer; what `fetch` threw when the signal aborted
   */
  async send(request: EndpointRequest): Promise<Response> {
    const init = this.#initOf(request);
    let target = this.#options.url;
    for (let followed = 0; ; followed += 1) {
      const response = await this.#fetch(target, init);
      const next = followed < MAX_REDIRECTS ? redirectOf(response, target) : undefined;
      if (next === undefined || next.origin !== target.origin || (request.method !== 'GET' && !KEEPS_METHOD.has(response.status))) return response;
      discard(response);
      target = next;
    }
  }

  /** Why an answer that is no success is none; reads the beginning of its body. */
  async refusal(response: Response): Promise<HttpFailure> {
    const body = await readSnippet(response, this.#options.errorBodyTimeoutMs);
    const location = redirectOf(response, this.#options.url);
    return statusFailure({
      status: response.status,
      body,
      contentType: mediaType(response),
      // The path may hold a secret that the server added.
      location: location?.origin === this.#options.url.origin ? 'another path of the same server' : location?.origin,
      place: this.#place,
      hasSession: this.sessionId !== undefined,
      sessionLostOn400: this.#options.sessionLostOn400,
    });
  }

  /** Why a success is no answer: it is neither JSON nor an event stream. */
  async strangeness(response: Response): Promise<HttpFailure> {
    return strangeAnswer(mediaType(response), await readSnippet(response, this.#options.errorBodyTimeoutMs), this.#place);
  }

  async #fetch(target: URL, init: RequestInit): Promise<Response> {
    try {
      return await (this.#options.fetch ?? fetch)(target, init);
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw networkFailure(error, this.#place);
    }
  }

  #initOf({ method, body, lastEventId, signal }: EndpointRequest): RequestInit {
    const headers: Record<string, string> = method === 'POST' ? { ...this.#posting } : { ...this.#options.headers, accept: ACCEPT[method] };
    if (this.sessionId !== undefined) headers['mcp-session-id'] = this.sessionId;
    if (this.protocolVersion !== undefined) headers['mcp-protocol-version'] = this.protocolVersion;
    // A header holds bytes: those of the id as the server sent it.
    if (lastEventId !== undefined) headers['last-event-id'] = Buffer.from(lastEventId).toString('latin1');
    const init: RequestInit = { method, headers, signal, redirect: 'manual' };
    if (body !== undefined) init.body = body;
    // A custom fetch has sockets of its own.
    if (this.#options.fetch === undefined) Object.assign(init, { dispatcher: this.sockets.dispatcher });
    return init;
  }
}

/** The media type of an answer, lower case, without parameters; empty when there is none. */
export function mediaType(response: Response): string {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function redirectOf(response: Response, from: URL): URL | undefined {
  const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/**
 * Messages over Streamable HTTP: a POST each, answered with JSON or with a stream of events; one session, which is named in
 * every request after the handshake (WIRE-025), is over when the server says 404 (CONNECTION-030), and is given back at the end.
 *
 * A request whose answer is lost is lost (CALL-030). No stream is asked for, unless that is a habit.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerSpec } from 'mcp-bridge-conformance/adapter';
import { hear, textOf, type Carrier, type Hearing } from './carrier.ts';
import { readEvents, readWhole, type StreamEnd } from './web-body.ts';
import { messageOf, type JsonObject } from './json.ts';

/** How to reach a server over HTTP. */
export type WebSpec = Extract<ServerSpec, { readonly transport: 'streamable-http' }>;

/** One request of this bridge. */
export interface WebRequest extends RequestInit {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
}

/** What is a matter of taste. */
export interface WebHabits {
  readonly fetch: (url: string, request: WebRequest) => Promise<Response>;
  /** Whether streams are asked for: the server's own, and the rest of one that ended before the answer. */
  readonly listens: boolean;
}

/** How long a server may take to take its session back, in milliseconds. */
const GIVE_BACK_MS = 1_000;
/** The first and the longest pause between two streams of the server's own, in milliseconds. */
const LISTEN_AGAIN_MS = { first: 100, longest: 2_000 } as const;
/** Codes of errors that say that nobody is there. */
const NOBODY = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);

/** See the module's comment. */
export class Web implements Carrier {
  readonly gone: Promise<string>;
  readonly #spec: WebSpec;
  readonly #hearing: Hearing;
  readonly #habits: WebHabits;
  readonly #over = new AbortController();
  /** Requests whose answers are waited for. */
  readonly #open = new Map<number, AbortController>();
  #session: string | undefined;
  #revision: string | undefined;
  #tellGone: (reason: string) => void = () => {};

  constructor(spec: WebSpec, hearing: Hearing, habits: WebHabits) {
    this.#spec = spec;
    this.#hearing = {
      onNoise: (text) => hearing.onNoise(text),
      onLost: (id, reason) => hearing.onLost(id, reason),
      onMessage: (message) => {
        if (typeof message['id'] === 'number' && message['method'] === undefined) this.#open.delete(message['id']);
        hearing.onMessage(message);
      },
    };
    this.#habits = habits;
    this.gone = new Promise((resolve) => (this.#tellGone = resolve));
  }

  async send(message: JsonObject): Promise<void> {
    const { id, method } = message;
    const asked = typeof id === 'number' && method !== undefined ? id : undefined;
    const stop = new AbortController();
    if (asked !== undefined) this.#open.set(asked, stop);
    const lost = (reason: string): void => {
      if (asked === undefined || !this.#open.delete(asked)) return;
      this.#hearing.onLost(asked, reason);
    };
    try {
      const response = await this.#fetch('POST', { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }, stop.signal, textOf(message));
      if (method === 'initialize') this.#session = response.headers.get('mcp-session-id') ?? undefined;
      if (!response.ok) lost(`it refused the request with status ${response.status}`);
      void this.#read(response).then((end) => this.#resume(end, asked)).then(() => lost('its answer ended without being one'), (error: unknown) => lost(`its answer broke off: ${messageOf(error)}`));
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
      const reason = cause === undefined ? messageOf(error) : `${messageOf(error)}: ${cause.message}`;
      if (cause !== undefined && 'code' in cause && NOBODY.has(String(cause.code))) this.#end(`nobody answers at ${this.#spec.url}: ${reason}`);
      else lost(reason);
    }
  }

  agreed(revision: string): void {
    this.#revision = revision;
    if (this.#habits.listens) void this.#listen().catch(() => undefined);
  }

  forget(id: number): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }

  async end(): Promise<void> {
    const session = this.#session;
    if (session !== undefined && !this.#over.signal.aborted) {
      const response = await this.#fetch('DELETE', {}, AbortSignal.timeout(GIVE_BACK_MS)).catch(() => undefined);
      await response?.body?.cancel().catch(() => undefined);
    }
    this.#end('it was closed');
  }

  /** What a response says, message by message; resolves at its end. */
  async #read(response: Response): Promise<StreamEnd | undefined> {
    if (!response.ok || response.status === 202 || response.body === null) {
      await response.body?.cancel();
      return undefined;
    }
    if (isEvents(response)) return readEvents(response.body, (text) => hear(text, this.#hearing));
    hear(await readWhole(response.body), this.#hearing);
    return undefined;
  }

  /** Asks for the rest of a stream, as long as each has something new and the request is not answered. */
  async #resume(end: StreamEnd | undefined, asked: number | undefined): Promise<void> {
    if (asked === undefined || !this.#habits.listens) return;
    let { lastId, retryMs = LISTEN_AGAIN_MS.first } = end ?? {};
    while (lastId !== undefined && this.#open.has(asked)) {
      await wait(retryMs, undefined, { signal: this.#over.signal });
      const response = await this.#fetch('GET', { accept: 'text/event-stream', 'last-event-id': lastId });
      const next = await this.#read(response);
      lastId = next?.lastId === lastId ? undefined : next?.lastId;
      retryMs = next?.retryMs ?? retryMs;
    }
  }

  /** Listens, again and again as long as there is a stream. */
  async #listen(): Promise<void> {
    for (let pauseMs: number = LISTEN_AGAIN_MS.first; ; pauseMs = Math.min(2 * pauseMs, LISTEN_AGAIN_MS.longest)) {
      const response = await this.#fetch('GET', { accept: 'text/event-stream' });
      if (!response.ok || !isEvents(response)) return response.body?.cancel();
      const end = await this.#read(response).catch(() => undefined);
      await wait(Math.max(pauseMs, end?.retryMs ?? 0), undefined, { signal: this.#over.signal });
    }
  }

  /** One request. The session is over when the server does not know it any more. */
  async #fetch(method: string, own: Readonly<Record<string, string>>, signal?: AbortSignal, body?: string): Promise<Response> {
    // What belongs to the protocol is never the entry's to say.
    const headers = new Headers(this.#spec.headers);
    for (const name of ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version']) headers.delete(name);
    const session = this.#session;
    const said = { ...own, ...(session === undefined ? {} : { 'mcp-session-id': session }), ...(this.#revision === undefined ? {} : { 'mcp-protocol-version': this.#revision }) };
    for (const [name, value] of Object.entries(said)) headers.set(name, value);
    const response = await this.#habits.fetch(this.#spec.url, {
      method, headers, redirect: 'error', signal: signal === undefined ? this.#over.signal : AbortSignal.any([signal, this.#over.signal]), ...(body === undefined ? {} : { body }),
    });
    // To a GET it may only say that there is no stream.
    if (response.status === 404 && session !== undefined && method !== 'GET') this.#end('the server has ended the session (status 404)');
    return response;
  }

  #end(reason: string): void {
    this.#tellGone(reason);
    this.#over.abort();
  }
}

function isEvents(response: Response): boolean {
  return /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
}

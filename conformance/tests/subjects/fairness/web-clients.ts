/** Clients of HTTP that the minimal bridge may have in place of its own. */
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebRequest } from '../../../subjects/minimal/index.ts';

type Fetch = (url: string, request: WebRequest) => Promise<Response>;

/** The JSON-RPC message in a request. */
export function rpcOf({ body }: WebRequest): Readonly<Record<string, unknown>> {
  const message: unknown = body === undefined ? {} : JSON.parse(body);
  return typeof message === 'object' && message !== null ? { ...message } : {};
}

/** Header names in capitals, a connection for each request, bodies in two chunks. */
export const ownClient: Fetch = (url, { method, headers, body, signal }) => new Promise((resolve, reject) => {
  const capital = Object.fromEntries([...headers].map(([name, value]) => [name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()), name === 'content-type' ? `${value}; Charset=UTF-8` : value]));
  const sent = httpRequest(url, { method, headers: capital, agent: false, ...(signal instanceof AbortSignal ? { signal } : {}) }, (response) => {
    const { statusCode: status = 500 } = response;
    const heads = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    resolve(new Response(status === 204 ? null : new ReadableStream({
      async start(controller) {
        try {
          for await (const part of response as AsyncIterable<Uint8Array>) controller.enqueue(part);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
      },
    }), { status, headers: heads }));
  });
  sent.on('error', (cause) => reject(new TypeError('it failed', { cause })));
  Readable.from(body === undefined ? [] : [body.slice(0, 20), body.slice(20)]).pipe(sent);
});

/** Reads the answer to a request, and nothing that may come after it. */
export const hangingUp: Fetch = async (url, request) => {
  const { id, method } = rpcOf(request);
  const stop = new AbortController();
  const response = await fetch(url, { ...request, signal: AbortSignal.any([stop.signal, ...(request.signal instanceof AbortSignal ? [request.signal] : [])]) });
  if (response.body === null || id === undefined || method === undefined) return response;
  const parts: Uint8Array[] = [];
  for await (const part of response.body) {
    parts.push(part);
    if (new RegExp(`^(data: ?)?\\{.*"id":${JSON.stringify(id)}[,}].*\n`, 'm').test(Buffer.concat(parts).toString('utf8'))) break;
  }
  stop.abort();
  return new Response(Buffer.concat(parts), { status: response.status, headers: response.headers });
};

/** Shakes hands beside the bridge's own session. @returns how to speak in the new one, or the refusal */
async function handshake(url: string, { headers, signal }: WebRequest): Promise<Headers | Response> {
  const post = (own: Headers, message: object): Promise<Response> => fetch(url, { method: 'POST', headers: own, signal: signal ?? null, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const own = new Headers(headers);
  const revision = own.get('mcp-protocol-version') ?? '2025-11-25';
  for (const name of ['mcp-session-id', 'mcp-protocol-version']) own.delete(name);
  const response = await post(own, { id: 'beside', method: 'initialize', params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'beside', version: '1' } } });
  if (!response.ok) return response;
  await response.text();
  own.set('mcp-protocol-version', revision);
  const session = response.headers.get('mcp-session-id');
  if (session !== null) own.set('mcp-session-id', session);
  await (await post(own, { method: 'notifications/initialized' })).text();
  return own;
}

/** Milliseconds by which the end of a handshake is late, that what follows may pass it. */
const LATE_MS = 5;

/** Does not wait until the server has heard of the end of the handshake: what follows is on a connection of its own, and may be there first. */
export const passing: Fetch = (url, request) => {
  if (rpcOf(request)['method'] !== 'notifications/initialized') return fetch(url, request);
  void wait(LATE_MS).then(() => fetch(url, request)).then((response) => response.body?.cancel(), () => undefined);
  return Promise.resolve(new Response(null, { status: 202 }));
};

/** Calls have a session of their own for each session of the bridge. */
export function sessionForCalls(): Fetch {
  const sessions = new Map<string, Promise<Headers | Response>>();
  return async (url, request) => {
    const { method } = rpcOf(request);
    if (method !== 'tools/call' && method !== 'notifications/cancelled') return fetch(url, request);
    const key = `${url} ${request.headers.get('mcp-session-id') ?? ''}`;
    const begun = sessions.get(key) ?? handshake(url, request);
    sessions.set(key, begun);
    const headers = await begun;
    return headers instanceof Response ? headers : fetch(url, { ...request, headers });
  };
}

/** Where the server gave one. */
const giveBack = async (url: string, headers: Headers): Promise<unknown> => headers.has('mcp-session-id') && (await fetch(url, { method: 'DELETE', headers })).text();

/** How long a stream that nobody reads may take to have a head, in milliseconds; a server may never send one (WIRE-055). */
const HEAD_MS = 100;

/** Asks for a stream, as client libraries do after each handshake, and does not read it. */
export const peek = async (url: string, headers: Headers): Promise<void> => {
  const response = await fetch(url, { method: 'GET', headers, signal: AbortSignal.timeout(HEAD_MS) }).catch(() => undefined);
  await response?.body?.cancel().catch(() => undefined);
};

/** A session is given back as soon as its operation is over, and the first one as soon as it has begun. */
export function sessionEach(): Fetch {
  const held = new Map<unknown, Headers>();
  return async (url, request) => {
    const { id, method, params } = rpcOf(request);
    if (method === 'initialize') return fetch(url, request);
    if (method === 'notifications/initialized') {
      const response = await fetch(url, request);
      await giveBack(url, request.headers);
      return response;
    }
    const other = method === 'notifications/cancelled' ? held.get(requestIdOf(params)) : undefined;
    if (other !== undefined) return fetch(url, { ...request, headers: other });
    if (id === undefined) return new Response(null, { status: 202 });
    const headers = await handshake(url, request);
    if (headers instanceof Response) return headers;
    held.set(id, headers);
    await peek(url, headers);
    try {
      const response = await fetch(url, { ...request, headers });
      return new Response(await response.text(), { status: response.status, headers: response.headers });
    } finally {
      held.delete(id);
      await giveBack(url, headers).catch(() => undefined);
    }
  };
}

function requestIdOf(params: unknown): unknown {
  return typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : undefined;
}

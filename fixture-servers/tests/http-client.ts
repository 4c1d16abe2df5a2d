import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Wire } from './client.ts';

/** A response as it came. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The messages in the body, be it JSON or an event stream. */
  readonly messages: readonly Wire[];
}

/** A response that is still coming. */
export interface OpenReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What came so far. */
  text(): string;
  /** Resolves when the text so far satisfies; rejects when the response ends first. */
  until(satisfies: (text: string) => boolean): Promise<string>;
  /** Resolves when the response has ended, rejects when it was cut off. */
  readonly ended: Promise<string>;
  close(): void;
}

/** A client over HTTP that is no library. */
export interface HttpClient {
  sessionId: string | undefined;
  /** Sends a request; resolves with its head. */
  open(method: string, body?: unknown, headers?: Record<string, string>): Promise<OpenReply>;
  /** Sends a request and reads all of its response. */
  send(method: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Sends initialize and initialized; keeps the session id. */
  handshake(version?: string): Promise<Reply>;
  /** Sends a request of JSON-RPC and resolves with its answer. */
  ask(method: string, params?: object): Promise<Wire>;
  /** Opens a listening stream. */
  listen(headers?: Record<string, string>): Promise<OpenReply>;
}

const NORMAL = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Makes a client of a server. Without a session id it sends none. */
export function createHttpClient(url: string): HttpClient {
  let nextId = 1;
  const client: HttpClient = {
    sessionId: undefined,
    open(method, body, headers = {}) {
      return new Promise((resolve, reject) => {
        const session = client.sessionId === undefined ? {} : { 'mcp-session-id': client.sessionId };
        const fields = withoutEmpty({ ...NORMAL, ...session, ...headers });
        const sent = request(url, { method, headers: fields, agent: false }, (response) => resolve(openReply(response)));
        sent.on('error', reject);
        if (body === undefined) sent.end();
        else sent.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
      });
    },
    async send(method, body, headers) {
      const reply = await client.open(method, body, headers);
      const text = await reply.ended;
      return { status: reply.status, headers: reply.headers, body: text, messages: messagesOf(text) };
    },
    async handshake(version = '2025-11-25') {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const first = await client.send('POST', { jsonrpc: '2.0', id: 0, method: 'initialize', params });
      const id = first.headers['mcp-session-id'];
      client.sessionId = typeof id === 'string' ? id : undefined;
      await client.send('POST', { jsonrpc: '2.0', method: 'notifications/initialized' });
      return first;
    },
    async ask(method, params) {
      const id = nextId;
      nextId += 1;
      const { messages, status } = await client.send('POST', { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
      const answer = messages.find((message) => message.id === id);
      if (answer === undefined) throw new Error(`no answer to ${method}: status ${status}`);
      return answer;
    },
    listen: (headers) => client.open('GET', undefined, headers),
  };
  return client;
}

/** The messages of a body: each `data` of an event stream, or the JSON whole. */
export function messagesOf(text: string): Wire[] {
  const events = text.replace('\uFEFF', '').split(/\r?\n\r?\n/).map((event) => event.split(/\r?\n/).filter((line) => line.startsWith('data:')));
  const parts = events.flatMap((lines) => (lines.length > 0 ? [lines.map((line) => line.slice('data:'.length)).join('\n')] : []));
  return (parts.length > 0 ? parts : [text]).flatMap((part) => {
    try {
      const message: Wire = JSON.parse(part);
      return [message];
    } catch {
      return [];
    }
  });
}

/** The ids of the events in a body. */
export function idsOf(text: string): string[] {
  return [...text.matchAll(/^id: (.*)$/gm)].map((match) => match[1] ?? '');
}

function openReply(response: IncomingMessage): OpenReply {
  let text = '';
  let failure: Error | undefined;
  const watchers = new Set<() => void>();
  const ended = new Promise<string>((resolve, reject) => {
    response.on('end', () => resolve(text));
    response.on('error', (error) => {
      failure = error;
      reject(error);
    });
  });
  ended.catch(() => undefined);
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    for (const watch of watchers) watch();
  });
  response.on('close', () => {
    for (const watch of watchers) watch();
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    until: (satisfies) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          if (satisfies(text)) resolve(text);
          else if (response.closed || failure !== undefined) reject(new Error(`the response ended with ${JSON.stringify(text)}`, { cause: failure }));
          else return;
          watchers.delete(watch);
        };
        watchers.add(watch);
        watch();
      }),
    ended,
    close: () => response.destroy(),
  };
}

function withoutEmpty(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}

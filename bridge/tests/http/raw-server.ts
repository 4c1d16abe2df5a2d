/** A small MCP server over HTTP without any library, whose every answer a test can replace, stop and start again. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import { Waiting } from '../helpers-logic/waiting.ts';
import { isJsonObject } from '../../src/transport/narrow.ts';
import type { JsonObject } from '../../src/host-services.ts';

/** One request as it arrived. */
export interface SeenRequest {
  /** The HTTP method, and for a POST the message's. */
  readonly what: string;
  readonly id: unknown;
  readonly params: JsonObject;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  readonly socket: IncomingMessage['socket'];
  readonly path: string;
}

/** Answers a request by itself; anything else than `false` means that it did. */
export type Script = (request: SeenRequest) => unknown;

const running: RawServer[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

/** See the module's comment. What a script leaves alone is answered as a plain server with one tool, `echo`, would. */
export class RawServer {
  readonly seen: SeenRequest[] = [];
  readonly #scripts = new Map<string, Script>();
  readonly #waiting = new Waiting();
  #server: Server | undefined;
  #port = 0;
  /** When the last request came, milliseconds of `performance.now`. */
  seenAtMs = 0;
  /** How often it was started; part of its session's id. */
  starts = 0;
  /** Whether it gives and demands a session. */
  hasSessions = true;
  tools: readonly string[] = ['echo'];
  capabilities: JsonObject = { tools: { listChanged: true } };

  static async start(scripts: Readonly<Record<string, Script>> = {}): Promise<RawServer> {
    const server = new RawServer();
    for (const [what, script] of Object.entries(scripts)) server.on(what, script);
    running.push(server);
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  get port(): number {
    return this.#port;
  }

  /** Replaces the answers to requests of one kind: `GET`, `DELETE`, `POST` for each message, or a message's method. */
  on(what: string, script: Script): void {
    this.#scripts.set(what, script);
  }

  /** What has been seen of one kind. */
  of(what: string): SeenRequest[] {
    return this.seen.filter((request) => request.what === what);
  }

  /** Resolves when `condition` holds after some request. */
  until(condition: () => boolean): Promise<void> {
    return this.#waiting.until(condition);
  }

  /** Resolves with the n-th request of one kind. */
  async nth(what: string, n: number): Promise<SeenRequest> {
    await this.until(() => this.of(what).length >= n);
    const found = this.of(what)[n - 1];
    if (found === undefined) throw new Error('cannot be');
    return found;
  }

  /** Starts it, at the port it had before. Another session from now on. */
  async listen(): Promise<void> {
    this.starts += 1;
    const server = createServer((request, response) => void this.#handle(request, response));
    this.#server = server;
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    this.#port = address.port;
  }

  /** Knows its session no more. */
  forget(): void {
    this.starts += 1;
  }

  /** Ends it, with every connection. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const ended = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await ended;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const parsed: unknown = request.method === 'POST' ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const message = isJsonObject(parsed) ? parsed : {};
    const { params } = message;
    const what = typeof message['method'] === 'string' ? message['method'] : request.method === 'POST' ? 'answer' : String(request.method);
    const seen: SeenRequest = { what, id: message['id'], params: isJsonObject(params) ? params : {}, headers: request.headers, response, socket: request.socket, path: String(request.url) };
    this.seen.push(seen);
    this.seenAtMs = performance.now();
    const script = this.#scripts.get(what) ?? (request.method === 'POST' ? this.#scripts.get('POST') : undefined);
    if (script === undefined || script(seen) === false) this.#answer(seen);
    this.#waiting.wake();
  }

  #answer(request: SeenRequest): void {
    const { what, response, params } = request;
    const session = `session-${this.starts}`;
    if (what === 'initialize') {
      if (this.hasSessions) response.setHeader('mcp-session-id', session);
      reply(request, { protocolVersion: '2025-11-25', capabilities: this.capabilities, serverInfo: { name: 'raw', version: '1' } });
    } else if (this.hasSessions && request.headers['mcp-session-id'] !== session) {
      response.writeHead(404).end('Session not found');
    } else if (what === 'GET') response.writeHead(405).end();
    else if (what === 'DELETE') response.writeHead(200).end();
    else if (what === 'tools/list') reply(request, { tools: this.tools.map((name) => ({ name, inputSchema: { type: 'object' } })) });
    else if (what === 'tools/call') reply(request, { content: [{ type: 'text', text: JSON.stringify(params['arguments']) }] });
    else if (what === 'ping') reply(request, {});
    else response.writeHead(202).end();
  }
}

/** Answers with a result, as JSON. */
export function reply({ response, id }: SeenRequest, result: JsonObject): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: asId(id), result }));
}

/** Answers with an HTTP status and a text. */
export function refuse(status: number, body = '', type = 'text/plain'): Script {
  return ({ response }) => void response.writeHead(status, { 'content-type': type }).end(body);
}

/** Ends the response as a network failure does: in the middle. */
export function breakOff({ socket }: SeenRequest): void {
  socket.resetAndDestroy();
}

/** Begins an event stream and writes these events. */
export function stream({ response }: SeenRequest, ...events: readonly string[]): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for (const text of events) response.write(`${text}\n\n`);
  return response;
}

/** An event with a message. */
export function event(message: JsonObject, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}`;
}

/** The event that says that the list changed. */
export const LIST_CHANGED = event({ method: 'notifications/tools/list_changed' });

/** The event that answers a call with a text. */
export function answer({ id }: SeenRequest, text: string, eventId?: string): string {
  return event({ id: asId(id), result: { content: [{ type: 'text', text }] } }, eventId);
}

/** What a call answered so comes to. */
export function said(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

function asId(id: unknown): string | number {
  return typeof id === 'number' ? id : String(id);
}

/** Resolves when the connection of a request is closed. */
export async function closed({ response }: SeenRequest): Promise<void> {
  if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
}

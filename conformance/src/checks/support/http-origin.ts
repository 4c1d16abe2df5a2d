/**
 * A small MCP server over Streamable HTTP, in this process, that keeps the headers of every request. It is well-behaved but
 * for two things: it can send those who want an event stream to another origin, and repeat a header while it refuses.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { TRACE_VERSION, type TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench } from '../../bench/bench.ts';
import { nowMs } from '../../history/clock.ts';
import { isObject } from '../../history/views.ts';
import { STEADY, tool } from './scripts.ts';

/** One origin. */
export interface HttpOrigin {
  /** Where its MCP endpoint is. */
  readonly url: string;
  /** Ends it and every connection to it. */
  close(): Promise<void>;
}

/** How an origin is made. */
export interface HttpOriginOptions {
  /** Its name in the history. */
  readonly name: string;
  /** Where a GET is redirected to; without it there is no event stream (405). */
  readonly redirectTo?: string;
  /** Where a call is redirected to. */
  readonly redirectCallsTo?: string;
  /** The name of a header, in small letters: every request is refused with an error that repeats its value. */
  readonly refusesWith?: string;
}

/** The id that the server gives each session. */
export const SESSION = 'session-of-the-witness';

/** Starts an origin on a free port of 127.0.0.1; each request becomes a record of the history. */
export async function httpOrigin(bench: Bench, { name, redirectTo, redirectCallsTo, refusesWith }: HttpOriginOptions): Promise<HttpOrigin> {
  let seq = 0;
  const http = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await readText(request);
    const message: unknown = raw === '' ? undefined : JSON.parse(raw);
    const record: TraceRecord = {
      trace: TRACE_VERSION, seq, atMs: nowMs(), server: name, carrier: 'streamable-http', incarnation: 1, pid: process.pid, kind: 'frame',
      direction: 'client-to-server', raw, bytes: Buffer.byteLength(raw), ...(message === undefined ? {} : { message }),
      http: { method: request.method ?? '', requestHeaders: headersOf(request) },
    };
    seq += 1;
    bench.record({ atMs: record.atMs, kind: 'wire', record });
    const isCall = isObject(message) && message['method'] === 'tools/call';
    if (isCall && redirectCallsTo !== undefined) response.writeHead(307, { location: redirectCallsTo }).end();
    else if (request.method === 'GET' && redirectTo !== undefined) response.writeHead(307, { location: redirectTo }).end();
    else if (request.method === 'POST') answer(response, name, message, refusesWith === undefined ? undefined : `nobody has a key like ${headersOf(request)[refusesWith] ?? 'none'}`);
    else response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${portOf(http)}/mcp`, close: () => end(http) };
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));
}

function answer(response: ServerResponse, server: string, message: unknown, refusal: string | undefined): void {
  const { id, method, params } = isObject(message) ? (message as { id?: unknown; method?: unknown; params?: unknown }) : {};
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id, ...(refusal === undefined ? resultOf(server, method, params) : { error: { code: -32_001, message: refusal } }) });
  response.writeHead(200, { 'content-type': 'application/json', ...(method === 'initialize' ? { 'mcp-session-id': SESSION } : {}) }).end(body);
}

function resultOf(server: string, method: unknown, params: unknown): object {
  const given = isObject(params) ? params : {};
  if (method === 'initialize') return { result: { protocolVersion: given['protocolVersion'], capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'witness', version: '1' } } };
  if (method === 'tools/list') return { result: { tools: [{ ...tool(server, STEADY), inputSchema: { type: 'object' } }] } };
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text: JSON.stringify(given) }] } };
  return { error: { code: -32601, message: 'Method not found' } };
}

function portOf(http: Server): number {
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the HTTP server listens on no port');
  return address.port;
}

async function end(http: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  http.closeAllConnections();
  await closed;
}

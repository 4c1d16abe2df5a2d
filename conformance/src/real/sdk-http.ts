/**
 * A server written with the official library, in this process, over Streamable HTTP with sessions. It witnesses what it
 * received, so that raw names can be judged on the wire.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { RealServer } from './real-server.ts';
import { FAILURE_TEXT, sdkToolServer } from './sdk-tools.ts';
import { listTruth } from './truth.ts';
import { WireRecorder } from './wire-recorder.ts';

/** The header by which the truth client's own requests are kept out of what is witnessed. */
const TRUTH_HEADER = 'x-conformance-truth';
const NAME = 'sdk-http';

interface Session {
  readonly server: McpServer;
  readonly transport: StreamableHTTPServerTransport;
  readonly witnessed: boolean;
}

/** What a caller may ask for. */
export interface SdkHttpOptions {
  /** Called with each record as it is made. */
  readonly onRecord?: (record: TraceRecord) => void;
}

/** Starts it on a port of 127.0.0.1 that the system chooses. */
export async function sdkHttp(options: SdkHttpOptions = {}): Promise<RealServer> {
  const recorder = new WireRecorder(NAME, options.onRecord);
  const sessions = new Map<string, Session>();
  const http = createServer((request, response) => {
    handle(request, response, sessions, recorder).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(error instanceof Error ? error.message : String(error));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(http)}/mcp`;
  return {
    target: 'sdk-http',
    entry: { name: NAME, transport: 'streamable-http', url },
    succeeds: [
      { rawName: 'echo', arguments: { text: 'a canary of the echo' }, expect: 'echo: a canary of the echo' },
      { rawName: 'admin.reset', arguments: { area: 'north' }, expect: 'reset: north' },
      { rawName: 'measure', arguments: { text: 'four' }, expect: '4' },
    ],
    fails: [
      { rawName: 'fails', arguments: {}, expect: FAILURE_TEXT },
      { rawName: 'echo', arguments: { unknown: true }, expect: 'text' },
    ],
    truth: () => listTruth({ name: NAME, transport: 'streamable-http', url, headers: { [TRUTH_HEADER]: '1' } }),
    pids: () => [],
    wire: () => recorder.records,
    openSessions: () => [...sessions].filter(([, session]) => session.witnessed).map(([id]) => id),
    close: () => closeAll(http, sessions),
  };
}

function portOf(http: Server): number {
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the HTTP server listens on no port');
  return address.port;
}

async function handle(
  request: IncomingMessage, response: ServerResponse, sessions: Map<string, Session>, recorder: WireRecorder,
): Promise<void> {
  const witnessed = request.headers[TRUTH_HEADER] === undefined;
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? sessions.get(id) : undefined;
  const method = request.method ?? '';
  const body: unknown = method === 'POST' ? JSON.parse(await readText(request)) : undefined;
  if (witnessed) recorder.frame({ direction: 'client-to-server', message: body, method, session: typeof id === 'string' ? id : undefined });
  if (known === undefined && id !== undefined) {
    response.writeHead(404).end();
    return;
  }
  const session = known ?? (await newSession(sessions, witnessed ? recorder : undefined));
  await session.transport.handleRequest(request, response, body);
}

async function newSession(sessions: Map<string, Session>, recorder: WireRecorder | undefined): Promise<Session> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, session),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  const session: Session = { server: sdkToolServer(), transport, witnessed: recorder !== undefined };
  await session.server.connect(transport);
  if (recorder !== undefined) witnessAnswers(transport, recorder);
  return session;
}

function witnessAnswers(transport: StreamableHTTPServerTransport, recorder: WireRecorder): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    recorder.frame({ direction: 'server-to-client', message, method: 'POST', session: transport.sessionId });
    return send(message, options);
  };
}

async function closeAll(http: Server, sessions: Map<string, Session>): Promise<void> {
  await Promise.all([...sessions.values()].map((session) => session.server.close()));
  sessions.clear();
  if (!http.listening) return;
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  http.closeAllConnections();
  await closed;
}

/** The official server over Streamable HTTP in this process, for any number of clients. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** A running server. */
export interface WebServer {
  readonly url: string;
  /** The `Authorization` header of every request, in order. */
  readonly authorizations: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** Starts one on a free loopback port; its tool `echo` gives its arguments back. */
export async function startWebServer(): Promise<WebServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const authorizations: (string | undefined)[] = [];
  const http = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    const id = String(request.headers['mcp-session-id']);
    const session = sessions.get(id);
    void (session === undefined ? begin(sessions) : Promise.resolve(session)).then((transport) => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}/mcp`, authorizations, close: () => end(http) };
}

async function begin(sessions: Map<string, StreamableHTTPServerTransport>): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = new Server({ name: 'web', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'echo', description: 'Gives its arguments back.', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }));
  // The library's own transport does not fit its own interface under exactOptionalPropertyTypes.
  const base: object = transport;
  if (!isTransport(base)) throw new TypeError('the library has another transport');
  await server.connect(base);
  return transport;
}

function isTransport(value: object): value is Transport {
  return 'send' in value && 'start' in value;
}

async function end(http: HttpServer): Promise<void> {
  await new Promise<void>((resolve) => {
    http.close(() => resolve());
    http.closeAllConnections();
  });
}

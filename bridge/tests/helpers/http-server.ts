/** An MCP server over Streamable HTTP in this process, on a free port, that writes down every request. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server as HttpServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach } from 'vitest';

/** One request that arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** A running server. */
export interface RunningServer {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** The session of the server, once a client came. */
  readonly server: () => Server | undefined;
}

const running: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(
    running.splice(0).map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  );
});

/** Listens on a free loopback port. */
export async function listen(handler: RequestListener): Promise<{ url: string; seen: SeenRequest[] }> {
  const seen: SeenRequest[] = [];
  const http = createServer((request, response) => {
    seen.push({ method: request.method ?? '', headers: request.headers });
    handler(request, response);
  });
  running.push(http);
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}/mcp`, seen };
}

/** Starts the official server with two tools: `echo`, and `hang`, which never answers. */
export async function startHttpServer(options: { json?: boolean; before?: (...args: Parameters<RequestListener>) => boolean } = {}): Promise<RunningServer> {
  let transport: StreamableHTTPServerTransport | undefined;
  let current: Server | undefined;
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    current = new Server({ name: 'in-process', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
    current.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
    current.setRequestHandler(CallToolRequestSchema, ({ params }) =>
      params.name === 'hang' ? new Promise(() => {}) : { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] },
    );
    const made = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, enableJsonResponse: options.json ?? false });
    // The library's own classes disagree on optional members under `exactOptionalPropertyTypes`.
    const asTransport: Pick<Transport, 'start' | 'send' | 'close'> = made;
    await current.connect(asTransport);
    return made;
  };
  const { url, seen } = await listen((request, response) => {
    if (options.before?.(request, response) === true) return;
    void (async () => {
      transport ??= await begin();
      await transport.handleRequest(request, response);
    })();
  });
  return { url, seen, server: () => current };
}

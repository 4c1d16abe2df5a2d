// A server with one tool on the official library, over stdio or HTTP: what a fixture server is compared with.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const server = new Server({ name: 'official', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text', text: 'hello' }] }));

if (process.argv[2] === 'stdio') await server.connect(new StdioServerTransport());
else {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
  await server.connect(transport);
  const listener = createServer((request, response) => void transport.handleRequest(request, response));
  listener.listen(0, '127.0.0.1', () => {
    const address = listener.address();
    process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp\n`);
  });
}

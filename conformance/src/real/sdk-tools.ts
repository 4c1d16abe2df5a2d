import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** What the failing tool says. */
export const FAILURE_TEXT = 'the disk of the failing tool is full';

/**
 * A server as an author writes it with the official library: an echo, a tool whose name has a dot (legal in the protocol,
 * not in most models' function names), one that reports failure, one with structured content.
 */
export function sdkToolServer(): McpServer {
  const server = new McpServer({ name: 'a name that plays no part (S23)', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Says the text again.', inputSchema: { text: z.string(), probe: z.string().optional() } },
    ({ text }) => ({ content: [{ type: 'text', text: `echo: ${text}` }] }),
  );
  server.registerTool(
    'admin.reset',
    { description: 'Resets the counter of one area.', inputSchema: { area: z.string(), probe: z.string().optional() } },
    ({ area }) => ({ content: [{ type: 'text', text: `reset: ${area}` }] }),
  );
  server.registerTool(
    'fails',
    { description: 'Reports that it failed.', inputSchema: { probe: z.string().optional() } },
    () => ({ content: [{ type: 'text', text: FAILURE_TEXT }], isError: true }),
  );
  server.registerTool(
    'measure',
    {
      description: 'Measures a text.',
      inputSchema: { text: z.string(), probe: z.string().optional() },
      outputSchema: { length: z.number() },
    },
    ({ text }) => ({
      content: [{ type: 'text', text: `length: ${text.length}` }],
      structuredContent: { length: text.length },
    }),
  );
  return server;
}

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { CLIENT_INFO } from '../../src/transport/client-info.ts';
import { unusedValidator } from '../../src/transport/unused-validator.ts';

const RESULTS: Readonly<Record<string, Record<string, unknown>>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }] },
  'tools/call': { content: [], structuredContent: { fits: true } },
};

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

it("lets nothing pass as judged in the library's typed calls, should they ever be used (S37)", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  Object.assign(far, {
    onmessage: (message: JSONRPCMessage) => {
      if (isRequest(message)) void far.send({ jsonrpc: '2.0', id: message.id, result: RESULTS[message.method] ?? {} });
    },
  });
  await far.start();
  const client = new Client(CLIENT_INFO, { capabilities: {}, jsonSchemaValidator: unusedValidator });
  await client.connect(near);
  await client.listTools();
  await expect(client.callTool({ name: 't' })).rejects.toThrow('the bridge judges structured content itself');
  await client.close();
});

/** The official client works with the carrier, so that what a bridge built on it shows is the bridge's. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { held, received, startController, type Controller, type HttpFixtureServer } from 'mcp-fixture-server/control';

let controller: Controller;
let server: HttpFixtureServer;
beforeAll(async () => {
  controller = await startController();
  server = await controller.serve('official', {
    scenario: 1,
    tools: [{ name: 'read' }, { name: 'slow' }, { generate: { count: 150 } }],
    pagination: { pageSize: 100 },
    http: { eventIds: true, retryMs: 10 },
    rules: [{ when: { method: 'tools/call', tool: 'slow' }, do: [{ openStream: {} }, { reset: 'request' }, { hold: 'h' }, { default: {} }] }],
  }, { carrier: 'streamable-http' });
});
afterAll(() => controller.close());

describe.each(['event-stream', 'json'] as const)('the official client, answered as %s', (answers) => {
  it('lists, calls, resumes a stream, hears a change of the list and deletes its session', async () => {
    await server.program({
      scenario: 1, tools: [{ name: 'read' }, { name: 'slow' }, { generate: { count: 150 } }], pagination: { pageSize: 100 },
      http: { answers, eventIds: true, retryMs: 10 },
      rules: [{ when: { method: 'tools/call', tool: 'slow' }, do: [{ openStream: {} }, { reset: 'request' }, { hold: 'h' }, { default: {} }] }],
    });
    const since = server.records.length;
    const client = new Client({ name: 'test', version: '1' });
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    const transport = new StreamableHTTPClientTransport(new URL(server.url));
    await client.connect(transport);
    const first = await client.listTools();
    const second = await client.listTools({ cursor: first.nextCursor ?? '' });
    expect([...first.tools, ...second.tools].map(({ name }) => name).slice(-2)).toEqual(['tool_148', 'tool_149']);
    expect(await client.callTool({ name: 'read', arguments: { a: 1 } })).toMatchObject({ content: [{ text: '{"tool":"read","arguments":{"a":1}}' }] });
    if (answers === 'event-stream') {
      const slow = client.callTool({ name: 'slow', arguments: {} });
      await server.waitFor(held('h'), { since });
      await server.release('h');
      expect(await slow).toMatchObject({ content: [{ text: '{"tool":"slow","arguments":{}}' }] });
      expect(server.records.slice(since).filter(received('tools/call'))).toHaveLength(1);
    }
    await server.do([{ notify: { method: 'notifications/tools/list_changed' } }]);
    await changed;
    await transport.terminateSession();
    await server.waitFor((record) => record.kind === 'process' && record.event === 'session-end', { since });
    await client.close();
  });
});

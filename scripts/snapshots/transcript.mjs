import { startController } from 'mcp-fixture-server';
import { referenceAdapter } from './paths.mjs';

/** @type {import('mcp-fixture-server').ScenarioInput} */
const SCENARIO = {
  scenario: 1,
  tools: [
    { name: 'search', description: 'Finds things.', inputSchema: { type: 'object', properties: { query: { type: 'string' } } } },
    { name: 'admin.reset', description: 'A dotted name.', error: { code: -32000, message: 'not today' } },
    { name: 'broken', result: { content: [{ type: 'text', text: 'it broke' }], isError: true } },
  ],
  pagination: { pageSize: 2 },
  toolLists: { later: [{ name: 'search', description: 'Finds things.', inputSchema: { type: 'object' } }] },
  rules: [
    {
      id: 'change',
      when: { signal: 'change' },
      do: [{ setTools: { list: 'later' } }, { notify: { method: 'notifications/tools/list_changed' } }],
    },
  ],
};

/** What crosses the wire when the reference opens a server, calls it, follows a change and closes: one message a line. */
export async function transcript() {
  const controller = await startController();
  const adapter = await referenceAdapter();
  try {
    const fixture = controller.serve('fixture', SCENARIO);
    await adapter.open({
      servers: [{ name: 'fixture', transport: 'stdio', command: fixture.command, args: [...fixture.args] }],
    });
    const { tools } = await adapter.tools();
    for (const [index, tool] of tools.entries()) {
      await adapter.call({ callId: `call-${index}`, name: tool.name, arguments: { query: 'bridge' } });
    }
    const since = fixture.records.length;
    await fixture.signal('change');
    await fixture.waitFor((record) => record.kind === 'frame' && record.direction === 'server-to-client' && record.raw.includes('"tools":'), {
      since,
      what: 'the second listing',
    });
    await adapter.close();
    await fixture.waitForProcessEnd();
    return fixture.records.map(line).filter((text) => text !== undefined).join('\n') + '\n';
  } finally {
    await adapter.close();
    await controller.close();
  }
}

/**
 * @param {import('mcp-fixture-server').TraceRecord} record
 * @returns {string | undefined}
 */
function line(record) {
  if (record.kind === 'frame') {
    return `${record.direction === 'client-to-server' ? '->' : '<-'} ${JSON.stringify(normalised(record.message))}`;
  }
  if (record.kind === 'process') return `-- process ${record.event}`;
  return undefined;
}

/**
 * Versions of the client library move; the shape of the messages is what is pinned.
 * @param {unknown} message
 */
function normalised(message) {
  return JSON.parse(JSON.stringify(message), (key, value) => (key === 'version' && typeof value === 'string' ? '<version>' : value));
}

// The two ways to a server that benches compare: the bridge as an app has it, loaded from its package into the embedded host on
// Cordis, and the official client as it comes.
import { Context } from 'cordis';
import { createBridgePlugin } from 'cordis-plugin-mcp-bridge/internal';
import { startCordis3Host } from 'cordis-plugin-mcp-bridge/host';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/**
 * Where a server is.
 * @typedef {{ transport: 'stdio', command: string, args: string[] } | { transport: 'streamable-http', url: string }} Target
 * @typedef {import('cordis-plugin-mcp-bridge/host').EmbeddedHost} EmbeddedHost
 * @typedef {import('cordis-plugin-mcp-bridge/host').HostLogRecord} HostLogRecord
 * @typedef {Partial<import('cordis-plugin-mcp-bridge/internal').BridgeStages>} Stages
 */

/**
 * A host of its own, and `load`, which resolves when the server's tools are registered and rejects when they are not.
 * @param {{ stages?: Stages, onLog?: (record: HostLogRecord) => void }} [options]
 */
export async function startBridge({ stages = {}, onLog = () => {} } = {}) {
  const host = await startCordis3Host(Context, { onLog });
  const plugin = createBridgePlugin(stages);
  return {
    host,
    load: (/** @type {string} */ serverName, /** @type {Target} */ target, /** @type {object} */ options = {}) =>
      host.load(plugin, { failOnStartupError: true, ...options, ...target, serverName }),
    close: () => host.dispose(),
  };
}

/**
 * The official client, connected by its own transport.
 * @param {Target} target
 */
export async function connectBare(target) {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    target.transport === 'stdio' ? new StdioClientTransport({ command: target.command, args: target.args }) : new StreamableHTTPClientTransport(new URL(target.url)),
  );
  return client;
}

/**
 * Every page of the list, as the client gives it.
 * @param {Client} client
 */
export async function drainBare(client) {
  /** @type {object[]} */
  const tools = [];
  /** @type {string | undefined} */
  let cursor;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

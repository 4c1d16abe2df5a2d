import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publicToolName } from 'cordis-plugin-mcp-bridge/naming';
import { referenceAdapter } from './paths.mjs';

const require = createRequire(import.meta.url);

/**
 * The program of a server package.
 * @param {string} name
 */
function program(name) {
  const manifest = require.resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return path.join(path.dirname(manifest), String(typeof bin === 'string' ? bin : Object.values(bin)[0]));
}

/** Public names of the real servers' tools, in the order the model is offered them. */
export async function realTools() {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcp-bridge-snapshot-'));
  const adapter = await referenceAdapter();
  try {
    const servers = [
      { name: 'everything', args: [program('@modelcontextprotocol/server-everything'), 'stdio'] },
      { name: 'filesystem', args: [program('@modelcontextprotocol/server-filesystem'), folder] },
    ];
    const reply = await adapter.open({
      servers: servers.map((server) => ({ ...server, transport: /** @type {const} */ ('stdio'), command: process.execPath })),
    });
    const sick = reply.servers.filter(({ status }) => status !== 'ready');
    if (sick.length > 0) throw new Error(`real servers did not start: ${JSON.stringify(sick)}`);
    const { tools } = await adapter.tools();
    return Object.fromEntries(
      servers.map(({ name }) => [name, tools.map((tool) => tool.name).filter((tool) => tool.startsWith(publicToolName(name, '')))]),
    );
  } finally {
    await adapter.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

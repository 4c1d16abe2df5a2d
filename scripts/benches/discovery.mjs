// Ten thousand tools in pages of a hundred: from the first `tools/list` to all of them registered, over the official client's drain
// of the same list, each on a fresh connection.
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { connectBare, drainBare, startBridge } from './bridge.mjs';
import { compare } from './compare.mjs';
import { collectGarbage } from './garbage.mjs';
import { serveByHand } from './serve.mjs';

/** The most it may take, of the bare drain (DESIGN.md §8). */
const MOST = 1;
/** The same where each tool has an output schema, which the bare client compiles at once. */
const MOST_WITH_OUTPUT = 0.1;
const TOOLS = 10_000;
const PAGE = 100;

const TOOL = {
  description: 'A tool with a description and a schema as people write them, number {n}.',
  inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'Where.' }, depth: { type: 'integer' } }, required: ['path'] },
};
const OUTPUT = { outputSchema: { type: 'object', properties: { found: { type: 'array', items: { type: 'string' } } }, required: ['found'] } };

/** @type {import('../bench.mjs').Bench} */
export async function bench({ log, rounds, small }) {
  const count = small ? 3 * PAGE : TOOLS;
  /** @type {import('../bench.mjs').Finding[]} */
  const findings = [];
  for (const { carrier, output } of /** @type {const} */ ([{ carrier: 'stdio', output: false }, { carrier: 'http', output: false }, { carrier: 'stdio', output: true }])) {
    const tool = output ? { ...TOOL, ...OUTPUT } : TOOL;
    const server = await serveByHand(carrier, { scenario: 1, pagination: { pageSize: PAGE }, tools: [{ generate: { count, ...tool } }] });
    const bare = () => bareMs(server.target, count);
    const bridge = () => bridgeMs(server.target, count);
    // Seconds each, with schemas to compile: there the bridge is what is measured against itself.
    const result = await compare({ bare, bridge, again: output ? bridge : bare }, rounds);
    findings.push({
      name: `${count} tools over ${carrier}${output ? ', each with an outputSchema' : ''}`,
      value: result.ratio('bridge', 'bare'),
      unit: 'of the bare drain',
      budget: output ? MOST_WITH_OUTPUT : MOST,
      holds: 'at most',
      control: result.ratio('again', output ? 'bridge' : 'bare'),
      detail: `${result.median('bridge').toFixed(0)} and ${result.median('bare').toFixed(0)} ms`,
    });
    server.close();
    log(`measured discovery over ${carrier}${output ? ' with output schemas' : ''}`);
  }
  return findings;
}

/**
 * @param {import('./bridge.mjs').Target} target
 * @param {number} count
 */
async function bareMs(target, count) {
  const client = await connectBare(target);
  collectGarbage();
  const begin = performance.now();
  const { length } = await drainBare(client);
  const tookMs = performance.now() - begin;
  await client.close();
  if (length !== count) throw new Error(`the client read ${length} tools of ${count}`);
  return tookMs;
}

/**
 * @param {import('./bridge.mjs').Target} target
 * @param {number} count
 */
async function bridgeMs(target, count) {
  let begin = Number.NaN;
  const bridge = await startBridge({
    stages: {
      drainTools(serverName, session, limits) {
        collectGarbage();
        begin = performance.now();
        return referenceStages.drainTools(serverName, session, limits);
      },
    },
  });
  await bridge.load('many', target);
  const tookMs = performance.now() - begin;
  const { length } = bridge.host.tools.list();
  await bridge.close();
  if (length !== count) throw new Error(`the bridge registered ${length} tools of ${count}`);
  return tookMs;
}

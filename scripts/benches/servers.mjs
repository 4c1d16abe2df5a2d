// Fifty servers started at once: until all of them are ready with their tools, over fifty official clients that connect and list.
import { connectBare, drainBare, startBridge } from './bridge.mjs';
import { compare } from './compare.mjs';
import { startFixtures } from './fixtures.mjs';

/** The most it may take, of the bare clients (DESIGN.md §8). */
const MOST = 1.1;
const SERVERS = 50;

/** @typedef {import('./bridge.mjs').Target} Target */

/** @type {import('../bench.mjs').Bench} */
export async function bench({ log, rounds, small }) {
  const count = small ? 2 : SERVERS;
  /** @type {import('../bench.mjs').Finding[]} */
  const findings = [];
  const fixtures = await startFixtures();
  for (const carrier of /** @type {const} */ (['stdio', 'http'])) {
    // One script: over stdio each connection starts a process of its own, over HTTP it begins a session of its own.
    const target = await fixtures.serve(carrier, carrier, { scenario: 1, tools: [{ name: 'echo' }] });
    const targets = Array.from({ length: count }, () => target);
    const result = await compare({ bare: () => bareMs(targets), bridge: () => bridgeMs(targets), again: () => bareMs(targets) }, rounds);
    findings.push({
      name: `${count} servers at once over ${carrier}`,
      value: result.ratio('bridge', 'bare'),
      unit: 'of the bare clients',
      budget: MOST,
      holds: 'at most',
      control: result.ratio('again', 'bare'),
      detail: `${result.median('bridge').toFixed(0)} and ${result.median('bare').toFixed(0)} ms`,
    });
    log(`measured ${count} servers over ${carrier}`);
  }
  await fixtures.close();
  return findings;
}

/** @param {Target[]} targets */
async function bareMs(targets) {
  const begin = performance.now();
  const clients = await Promise.all(targets.map(async (target) => {
    const client = await connectBare(target);
    await drainBare(client);
    return client;
  }));
  const tookMs = performance.now() - begin;
  await Promise.all(clients.map((client) => client.close()));
  return tookMs;
}

/** @param {Target[]} targets */
async function bridgeMs(targets) {
  const bridge = await startBridge();
  const begin = performance.now();
  await Promise.all(targets.map((target, index) => bridge.load(`s${index}`, target)));
  const tookMs = performance.now() - begin;
  const { length } = bridge.host.tools.list();
  await bridge.close();
  if (length !== targets.length) throw new Error(`the bridge registered ${length} tools of ${targets.length}`);
  return tookMs;
}

// One call through `definition.execute` over one through the official client's `callTool`: each on connections of its own, as its users
// have them, and both on the bridge's.
import { spawnSync } from 'node:child_process';
import { referenceStages } from 'cordis-plugin-mcp-bridge/internal';
import { connectBare, startBridge } from './bridge.mjs';
import { compareCalls } from './compare.mjs';
import { serveByHand } from './serve.mjs';
import { shareWire } from './shared-wire.mjs';

/** The most that a call may take, of the bare client's (DESIGN.md §8). */
const MOST = { stdio: 1.05, http: 1.03 };
/** Calls of each way in one round. */
const CALLS = { stdio: 600, http: 60 };

const SCENARIO = { scenario: 1, tools: [{ name: 'echo', result: { content: [{ type: 'text', text: 'hello' }] } }] };
const ARGUMENTS = { path: '/tmp/some/file.txt', depth: 3 };

/**
 * @typedef {import('./bridge.mjs').Target} Target
 * @typedef {() => () => Promise<unknown>} Way
 */

/** @type {import('../bench.mjs').Bench} */
export async function bench({ log, rounds, small }) {
  pin();
  /** @type {import('../bench.mjs').Finding[]} */
  const findings = [];
  for (const carrier of /** @type {const} */ (['stdio', 'http'])) {
    const server = await serveByHand(carrier, SCENARIO);
    for (const [where, open] of /** @type {const} */ ([['each on its own connections', openOwn], ['both on one connection', openShared]])) {
      const { close, ways } = await open(server.target);
      // Two of each, so that no code and no server process is warmer than another for being called more often.
      const result = await compareCalls(ways, { rounds, calls: small ? 5 : CALLS[carrier] });
      findings.push({
        name: `a call over ${carrier}, ${where}`,
        value: result.ratio('bridge', 'bare'),
        unit: 'of the bare client',
        budget: MOST[carrier],
        holds: 'at most',
        control: result.ratio('bareAgain', 'bare'),
        detail: `${result.median('bridge').toFixed(0)} and ${result.median('bare').toFixed(0)} µs; the second bridge ${result.ratio('bridgeAgain', 'bareAgain').toFixed(2)} of the second client`,
      });
      await close();
      log(`measured ${carrier}, ${where}`);
    }
    server.close();
  }
  return findings;
}

/** @param {Target} target @returns {Promise<{ ways: Record<string, Way>, close: () => Promise<void> }>} */
async function openOwn(target) {
  const bridge = await startBridge();
  await bridge.load('one', target);
  await bridge.load('two', target);
  const clients = [await connectBare(inOwnSession(target)), await connectBare(inOwnSession(target))];
  const [bare, bareAgain] = clients.map(asker);
  if (bare === undefined || bareAgain === undefined) throw new Error('there is no client');
  return {
    ways: { bridge: executor(bridge.host, 'mcp__one__echo'), bridgeAgain: executor(bridge.host, 'mcp__two__echo'), bare, bareAgain },
    async close() {
      await bridge.close();
      for (const client of clients) await client.close();
    },
  };
}

/** @param {Target} target @returns {Promise<{ ways: Record<string, Way>, close: () => Promise<void> }>} */
async function openShared(target) {
  /** @type {ReturnType<typeof shareWire> | undefined} */
  let wire;
  const bridge = await startBridge({
    stages: {
      openSession: (options) => referenceStages.openSession({
        ...options,
        decorateTransport(transport) {
          wire = shareWire(transport);
          return wire.host;
        },
      }),
    },
  });
  await bridge.load('shared', target);
  if (wire === undefined) throw new Error('the bridge made no connection');
  const execute = executor(bridge.host, 'mcp__shared__echo');
  const [bare, bareAgain] = [asker(await wire.connectGuest()), asker(await wire.connectGuest())];
  return { ways: { bridge: execute, bridgeAgain: execute, bare, bareAgain }, close: () => bridge.close() };
}

/** @param {Awaited<ReturnType<typeof connectBare>>} client @returns {Way} */
function asker(client) {
  return () => () => client.callTool({ name: 'echo', arguments: ARGUMENTS });
}

/**
 * Calls one registered tool past the registry's pipeline, which is the host's.
 * @param {import('./bridge.mjs').EmbeddedHost} host
 * @param {string} name
 * @returns {Way}
 */
function executor(host, name) {
  const definition = host.tools.get(name);
  if (definition === undefined) throw new Error(`the bridge registered no tool ${name}`);
  return () => {
    // A signal of its own for each call, as a registry hands it on: whoever calls has made it.
    const exec = { callId: 'call', name, arguments: ARGUMENTS, signal: new AbortController().signal };
    return () => definition.execute(ARGUMENTS, exec);
  };
}

/**
 * The bridge gives a server a session of its own, so that it can end all of its processes. A Linux kernel shares a loaded machine
 * out by session, and then a server in the session of everybody else waits for less long: the bare client's gets one too.
 * @param {Target} target
 * @returns {Target}
 */
function inOwnSession(target) {
  if (target.transport !== 'stdio' || spawnSync('setsid', ['--version']).status !== 0) return target;
  return { ...target, command: 'setsid', args: [target.command, ...target.args] };
}

/** Keeps this process and what it starts on one core where that can be done: a call that changes cores takes up to twice as long. */
function pin() {
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(process.pid)]);
}

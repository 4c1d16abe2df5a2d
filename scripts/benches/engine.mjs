// Calls a second of a fixture server over those of a server on the official library, over the same carrier, asked by the same
// client one call after the other and many at once; and what ten thousand tools add to the heap.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare } from './compare.mjs';
import { httpCaller, stdioCaller } from './callers.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const FIXTURE = path.join(here, '../../fixture-servers/bin/mcp-fixture-server.js');
const SCENARIO = path.join(here, 'engine-scenario.yaml');
const OFFICIAL = path.join(here, 'official-server.mjs');
const HEAP = path.join(here, 'engine-heap.mjs');

/** The least calls a second over those of the official library's server. */
const LEAST_RATIO = 0.8;
/** The most that ten thousand tools, listed in pages, may add to the heap, in MiB. */
const MOST_HEAP_MIB = 30;
/** Calls that one measurement makes: some tenths of a second. */
const CALLS = { stdio: 2_000, http: 400 };
/** How many are on their way at once where they are not made one after the other. */
const AT_ONCE = 16;

/**
 * @typedef {import('./callers.mjs').Caller} Caller
 * @typedef {import('../bench.mjs').Finding} Finding
 */

/** @type {import('../bench.mjs').Bench} */
export async function bench({ log, rounds }) {
  /** @type {Finding[]} */
  const findings = [];
  for (const carrier of /** @type {const} */ (['stdio', 'http'])) {
    const caller = carrier === 'stdio' ? stdioCaller : httpCaller;
    const flags = carrier === 'stdio' ? [] : ['--http'];
    const fixture = () => caller([FIXTURE, 'serve', SCENARIO, ...flags]);
    const callers = { fixture: await fixture(), again: await fixture(), official: await caller([OFFICIAL, carrier]) };
    for (const [way, atOnce] of /** @type {const} */ ([['one after the other', 1], [`${AT_ONCE} at once`, AT_ONCE]])) {
      const rate = (/** @type {Caller} */ one) => () => callsPerSecond(one, CALLS[carrier], atOnce);
      const result = await compare({ fixture: rate(callers.fixture), again: rate(callers.again), official: rate(callers.official) }, rounds);
      findings.push({
        name: `${carrier}, ${way}`,
        value: result.ratio('fixture', 'official'),
        unit: 'of the official server',
        budget: LEAST_RATIO,
        holds: 'at least',
        control: result.ratio('again', 'fixture'),
        detail: `${Math.round(result.median('fixture'))} and ${Math.round(result.median('official'))} calls a second`,
      });
      log(`measured ${carrier}, ${way}`);
    }
    for (const each of Object.values(callers)) each.close();
  }
  findings.push({ name: '10 000 tools in pages of 100', value: await heapMiB(), unit: 'MiB of heap', budget: MOST_HEAP_MIB, holds: 'at most' });
  return findings;
}

/**
 * @param {Caller} caller
 * @param {number} calls
 * @param {number} atOnce
 */
async function callsPerSecond(caller, calls, atOnce) {
  const begin = process.hrtime.bigint();
  let left = calls;
  const lane = async () => {
    for (; left > 0; ) {
      left -= 1;
      await caller.call();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return calls / (Number(process.hrtime.bigint() - begin) / 1e9);
}

/** @returns {Promise<number>} */
function heapMiB() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', HEAP], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(Number(out)) : reject(new Error(`${HEAP} ended with ${code}`))));
  });
}

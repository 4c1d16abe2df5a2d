// `npm run fuzz [-- <runs> [<seed>]]`: everything that reads what strangers write, tried with what a machine makes up:
// the parser of files, framing, the engine, traces with replay, and (a tenth of the runs) a real server over HTTP.
// Prints the seed first: the same runs and seed try the same things again. fast-check prints how a failure is had again.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Runs of each property, unless told otherwise. */
const RUNS = 10_000;
/** For one property, in milliseconds: ten thousand runs of the slowest take some minutes on a busy machine. */
const TIMEOUT_MS = 3_600_000;
const FILES = ['scenario/fuzz', 'jsonrpc/framing', 'engine/fuzz', 'trace/fuzz', 'carriers/streamable-http/fuzz'];

const [runs = String(RUNS), seed = String(randomInt(2 ** 31)), ...more] = process.argv.slice(2);
if (more.length > 0 || ![runs, seed].every((each) => /^\d{1,10}$/.test(each)) || Number(runs) === 0 || Number(seed) >= 2 ** 31) {
  console.error('fuzz: give at most two whole numbers: runs (1 or more) and seed (below 2147483648), as in `npm run fuzz -- 10000 42`');
  process.exit(2);
}
console.log(`fuzz: ${runs} runs of each property, seed ${seed}`);
const result = spawnSync(
  process.execPath,
  [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', `--testTimeout=${TIMEOUT_MS}`, ...FILES.map((file) => `fixture-servers/tests/${file}.test.ts`)],
  { cwd: root, stdio: 'inherit', env: { ...process.env, FUZZ_RUNS: runs, FUZZ_SEED: seed } },
);
console.log(`fuzz: ${result.status === 0 ? 'nothing found' : 'see above'}; again: npm run fuzz -- ${runs} ${seed}`);
process.exitCode = result.status ?? 1;

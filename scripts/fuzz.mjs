// `npm run fuzz [-- <runs> [<seed>]]`: everything that reads what strangers write, tried with what a machine makes up:
// the parser of files, framing, the engine, traces with replay, and (a tenth of the runs) a real server over HTTP; of the
// bridge both transports, the same bytes in other chunks, and (a fifth of the runs) servers on real sockets and whole instances.
// Prints the seed first: the same runs and seed try the same things again. What was found is kept below `reports/fuzz`, with
// fast-check's own seed and path, which lead straight to the smallest input.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Runs of each property, unless told otherwise. */
const RUNS = 10_000;
/** For one property, in milliseconds: ten thousand runs of the slowest take some minutes on a busy machine. */
const TIMEOUT_MS = 3_600_000;
const FILES = [
  'fixture-servers/tests/scenario/fuzz',
  'fixture-servers/tests/jsonrpc/framing',
  'fixture-servers/tests/engine/fuzz',
  'fixture-servers/tests/trace/fuzz',
  'fixture-servers/tests/carriers/streamable-http/fuzz',
  'bridge/tests/fuzz/stdio',
  'bridge/tests/fuzz/http',
  'bridge/tests/fuzz/chunkings',
  'bridge/tests/fuzz/plugin',
];
/** Where what was found is kept. */
const FOLDER = path.join(root, 'reports', 'fuzz');

const [runs = String(RUNS), seed = String(randomInt(2 ** 31)), ...more] = process.argv.slice(2);
if (more.length > 0 || ![runs, seed].every((each) => /^\d{1,10}$/.test(each)) || Number(runs) === 0 || Number(seed) >= 2 ** 31) {
  console.error('fuzz: give at most two whole numbers: runs (1 or more) and seed (below 2147483648), as in `npm run fuzz -- 10000 42`');
  process.exit(2);
}
console.log(`fuzz: ${runs} runs of each property, seed ${seed}`);
mkdirSync(FOLDER, { recursive: true });
const report = path.join(FOLDER, 'last.json');
rmSync(report, { force: true });
const result = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', `--testTimeout=${TIMEOUT_MS}`, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`,
    ...FILES.map((file) => `${file}.test.ts`),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, FUZZ_RUNS: runs, FUZZ_SEED: seed } },
);
const again = `npm run fuzz -- ${runs} ${seed}`;
if (result.status === 0) console.log(`fuzz: nothing found; again: ${again}`);
else console.log(`fuzz: see above, and ${path.relative(root, keepFound())}; again: ${again}`);
process.exitCode = result.status ?? 1;

/** Writes down what failed. @returns {string} the file */
function keepFound() {
  const file = path.join(FOLDER, `found-${seed}.txt`);
  writeFileSync(file, [`${again}\n`, ...failures()].join('\n'));
  return file;
}

/** @returns {string[]} one text for each property that failed, as fast-check words it */
function failures() {
  try {
    /** @type {{ testResults: { name: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }} */
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    return testResults.flatMap(({ name, assertionResults }) => assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => [`${path.relative(root, name)}: ${fullName}`, ...failureMessages, ''].join('\n')));
  } catch {
    return ['the runner left no report'];
  }
}

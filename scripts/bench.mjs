// `npm run bench -- <name> [--rounds n] [--small]`: measures one thing as ratios within one run, and holds it to its budget (DESIGN.md §8);
// `npm run bench -- all` measures all, each in a process of its own. Ends with 0 when every budget holds, 1 when not, 2 when the
// arguments are wrong. `--small` tries whether a bench works: tiny sizes, nothing judged, nothing written.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const script = fileURLToPath(import.meta.url);
const reports = path.join(path.dirname(path.dirname(script)), 'reports');
/** Rounds at least: the median of fewer moves with the machine (medians of 11 rounds or more were stable). */
const DEFAULT_ROUNDS = 11;
const MAX_ROUNDS = 1_000;

/**
 * What a bench found: a number, the budget it is held to, and the same number of a thing compared with itself.
 * @typedef {{ name: string, value: number, unit: string, budget: number, holds: 'at least' | 'at most', control?: number, detail?: string }} Finding
 * @typedef {{ rounds: number, small: boolean, log: (line: string) => void }} BenchOptions
 * @typedef {(options: BenchOptions) => Promise<Finding[]>} Bench
 */

/** @type {Record<string, () => Promise<{ bench: Bench }>>} A bench is a file of its own, loaded when it is asked for. */
const BENCHES = {
  engine: () => import('./benches/engine.mjs'),
  calls: () => import('./benches/calls.mjs'),
  discovery: () => import('./benches/discovery.mjs'),
  storm: () => import('./benches/storm.mjs'),
  servers: () => import('./benches/servers.mjs'),
  crashes: () => import('./benches/crashes.mjs'),
};

/** @param {string} message @returns {never} */
function usage(message) {
  console.error(`bench: ${message}; benches: ${Object.keys(BENCHES).join(', ')}, or all`);
  process.exit(2);
}

/** @returns {{ name: string, rounds: number, small: boolean }} */
function words() {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string' }, small: { type: 'boolean', default: false } } });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) return usage('give the name of one bench');
    if (name !== 'all' && !Object.hasOwn(BENCHES, name)) return usage(`there is no bench ${name}`);
    const rounds = Number(values.rounds ?? DEFAULT_ROUNDS);
    if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAX_ROUNDS) return usage(`--rounds ${values.rounds} is no whole number from 1 to ${MAX_ROUNDS}`);
    return { name, rounds, small: values.small };
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

/** @param {Finding} finding */
export function isKept({ budget, holds, value }) {
  return holds === 'at least' ? value >= budget : value <= budget;
}

/** @param {Finding} finding */
function line(finding) {
  const { budget, control, detail, holds, name, unit, value } = finding;
  const beside = control === undefined ? '' : `, a thing against itself ${control.toFixed(2)}`;
  return `${isKept(finding) ? 'ok  ' : 'MISS'} ${name}: ${value.toFixed(2)} ${unit} (${holds} ${budget}${beside})${detail === undefined ? '' : ` — ${detail}`}`;
}

/** The load of the machine: programs that ran or wanted to, in the last minute. */
function load() {
  return Number((loadavg()[0] ?? Number.NaN).toFixed(1));
}

/** @param {string} name @param {unknown} report */
function write(name, report) {
  mkdirSync(reports, { recursive: true });
  writeFileSync(path.join(reports, name), `${JSON.stringify(report, null, 2)}\n`);
}

/** @param {string} name @param {BenchOptions} options */
async function runOne(name, options) {
  const loadBefore = load();
  const { bench } = (await BENCHES[name]?.()) ?? usage(`there is no bench ${name}`);
  const findings = await bench(options);
  const loadAfter = load();
  for (const finding of findings) console.log(line(finding));
  console.log(`load ${loadBefore} before and ${loadAfter} after, on ${availableParallelism()} cores; ${options.rounds} rounds`);
  if (options.small) return;
  write(`bench-${name}.json`, { bench: name, rounds: options.rounds, node: process.version, cores: availableParallelism(), loadBefore, loadAfter, findings });
  if (!findings.every(isKept)) process.exitCode = 1;
}

/** One after the other, so that none bears what another left in its process. @param {{ rounds: number, small: boolean }} options */
function runAll({ rounds, small }) {
  const benches = Object.keys(BENCHES).map((name) => {
    console.log(`${name}:`);
    const { status } = spawnSync(process.execPath, [script, name, '--rounds', String(rounds), ...(small ? ['--small'] : [])], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
    /** @type {unknown} */
    const report = small || (status !== 0 && status !== 1) ? { bench: name, status } : JSON.parse(readFileSync(path.join(reports, `bench-${name}.json`), 'utf8'));
    return report;
  });
  if (!small) write('bench.json', { benches });
}

if (process.argv[1] === script) {
  const { name, rounds, small } = words();
  if (name === 'all') runAll({ rounds, small });
  else await runOne(name, { rounds, small, log: (text) => console.log(text) });
}

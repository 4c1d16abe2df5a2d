// `npm run bench -- <name> [--rounds n]`: measures one thing as ratios within one run, and holds it to its budget (DESIGN.md §8).
// Ends with 0 when every budget holds, 1 when not, 2 when the arguments are wrong.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Rounds at least: the median of fewer moves with the machine (medians of 11 rounds or more were stable). */
const DEFAULT_ROUNDS = 11;
const MAX_ROUNDS = 1_000;

/**
 * What a bench found: a number, the budget it is held to, and the same number of a thing compared with itself.
 * @typedef {{ name: string, value: number, unit: string, budget: number, holds: 'at least' | 'at most', control?: number, detail?: string }} Finding
 * @typedef {(options: { rounds: number, log: (line: string) => void }) => Promise<Finding[]>} Bench
 */

/** @type {Record<string, () => Promise<{ bench: Bench }>>} A bench is a file of its own, loaded when it is asked for. */
const BENCHES = {
  engine: () => import('./benches/engine.mjs'),
};

/** @param {string} message @returns {never} */
function usage(message) {
  console.error(`bench: ${message}; benches: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

/** @returns {{ name: string, rounds: number }} */
function words() {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string' } } });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) return usage('give the name of one bench');
    const rounds = Number(values.rounds ?? DEFAULT_ROUNDS);
    if (!Number.isInteger(rounds) || rounds < 1 || rounds > MAX_ROUNDS) return usage(`--rounds ${values.rounds} is no whole number from 1 to ${MAX_ROUNDS}`);
    return { name, rounds };
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { name, rounds } = words();
  const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (load === undefined) usage(`there is no bench ${name}`);
  const { bench } = await load();
  const findings = await bench({ rounds, log: (text) => console.log(text) });
  for (const finding of findings) console.log(line(finding));
  const folder = path.join(root, 'reports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `bench-${name}.json`), `${JSON.stringify({ bench: name, rounds, node: process.version, findings }, null, 2)}\n`);
  if (!findings.every(isKept)) process.exitCode = 1;
}

// `npm run repeat -- 20 [words for certify]`: certifies so many times with one seed and compares the verdicts, run by run.
// Ends with 0 when all lists are equal, 1 when not, 2 when a certification gave no list.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Certifications at most: each of the reference takes a minute or two. */
const MAX_TIMES = 1000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'reports', 'repeat');

/**
 * The verdict of each run by its name, in the order of the names.
 * @param {import('mcp-bridge-conformance').Report} report
 * @returns {Map<string, string>}
 */
export function verdictsOf(report) {
  const all = report.verdicts.flatMap(({ runs }) => runs);
  const named = all.map(({ check, target, verdict }) => /** @type {const} */ ([target === 'fixture' ? check : `${check} on ${target}`, verdict]));
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Names of runs that did not say the same every time, with what they said.
 * @param {readonly Map<string, string>[]} lists
 * @returns {string[]}
 */
export function differences(lists) {
  const names = [...new Set(lists.flatMap((list) => [...list.keys()]))].sort();
  return names.flatMap((name) => {
    const said = lists.map((list) => list.get(name) ?? 'no verdict');
    return new Set(said).size === 1 ? [] : [`${name}: ${said.join(', ')}`];
  });
}

/**
 * @param {number} number
 * @param {readonly string[]} words
 */
function certifyOnce(number, words) {
  const reports = path.join(folder, String(number));
  mkdirSync(reports, { recursive: true });
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(root, 'scripts/certify.mjs'), '--reports', reports, ...words], { cwd: root, encoding: 'utf8', maxBuffer: Infinity });
  writeFileSync(path.join(reports, 'output.txt'), stdout + stderr);
  const counted = /^\d+ invariants?: .*$/m.exec(stdout)?.[0] ?? (stderr.trim().split('\n').at(-1) ?? '');
  console.log(`${number}: exit code ${status}; ${counted}`);
  const file = path.join(reports, 'report.json');
  // 2 is no verdict, and a command that ended before its time leaves no report.
  return status === 2 || !existsSync(file) ? undefined : verdictsOf(JSON.parse(readFileSync(file, 'utf8')));
}

function main() {
  const [count = '', ...words] = process.argv.slice(2);
  const times = Number(count);
  if (!/^\d+$/.test(count) || times < 2 || times > MAX_TIMES) {
    console.error(`repeat: say how many times, from 2 to ${MAX_TIMES}, and then what certify takes: npm run repeat -- 20 --only naming`);
    return 2;
  }
  rmSync(folder, { recursive: true, force: true });
  const lists = [];
  for (let number = 1; number <= times; number += 1) {
    const list = certifyOnce(number, words);
    if (list === undefined) {
      console.error(`repeat: no verdicts; what was printed is in ${path.join('reports/repeat', String(number), 'output.txt')}`);
      return 2;
    }
    lists.push(list);
  }
  const differing = differences(lists);
  if (differing.length === 0) {
    console.log(`${times} equal verdict lists, ${lists[0]?.size ?? 0} runs each`);
    return 0;
  }
  console.log(`unequal: ${differing.length} runs did not say the same every time`);
  for (const line of differing) console.log(`  ${line}`);
  return 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();

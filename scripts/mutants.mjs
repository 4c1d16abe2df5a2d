// `npm run mutants`: plants each defect in the reference and says which check found it. Ends with `killed N of N`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { built, root } from './snapshots/paths.mjs';

/** Fixed, so that a mutant that survives does so again. */
const SEED = 20_261_130;

/** @typedef {{ id: string, killed: boolean, by: string[], strangers: string[], why: string, durationMs: number }} MutantLine */

const { mutants } = await built('conformance/dist/subjects/mutants/index.js');
const words = process.argv.slice(2).map((word) => word.toLowerCase());
/** @type {string[]} */
const ids = mutants
  .map((/** @type {{ id: string }} */ { id }) => id)
  .filter((/** @type {string} */ id) => words.length === 0 || words.some((word) => id.toLowerCase().includes(word)));

/** @type {MutantLine[]} */
const lines = [];

/**
 * What a worker tells is what `mutants-worker.mjs` makes.
 * @param {unknown} told
 * @returns {told is MutantLine}
 */
function isLine(told) {
  return typeof told === 'object' && told !== null && 'killed' in told && 'strangers' in told;
}

/** @param {MutantLine} line */
function report(line) {
  lines.push(line);
  console.log(`${line.killed ? 'killed  ' : 'SURVIVED'} ${line.id} (${(line.durationMs / 1000).toFixed(1)} s) ${line.killed ? `by ${line.by.join(', ')}` : line.why}`);
  if (line.strangers.length > 0) console.log(`         also failed, and is no declared neighbour: ${line.strangers.join(', ')}`);
}

/** @param {string[]} share */
async function work(share) {
  const worker = fork(path.join(root, 'scripts/mutants-worker.mjs'), { stdio: 'inherit' });
  worker.on('message', (told) => {
    if (isLine(told)) report(told);
  });
  worker.send({ ids: share, seed: SEED });
  await once(worker, 'exit');
}

if (ids.length === 0) {
  console.error(`no mutant is called ${words.join(', ')}; give a part of an id, such as NAMING or NAMING-003, or nothing for all`);
  process.exitCode = 2;
} else {
  const processes = Math.min(availableParallelism(), ids.length);
  await Promise.all(Array.from({ length: processes }, (_, first) => work(ids.filter((_id, at) => at % processes === first))));
  const killed = lines.filter((line) => line.killed).length;
  console.log(`killed ${killed} of ${ids.length}`);
  process.exitCode = killed === ids.length && lines.every((line) => line.strangers.length === 0) ? 0 : 1;
}

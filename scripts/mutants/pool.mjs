// Processes that run mutants, each a few at a time.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { root } from '../snapshots/paths.mjs';

/** Mutants at a time in one process: most of a mutant's time is waiting for fixture processes. */
const AT_ONCE = 3;

/**
 * @typedef {import('../mutants-worker.mjs').MutantLine} MutantLine
 * @typedef {import('../mutants-worker.mjs').EquivalentLine} EquivalentLine
 * @typedef {{ seed: number, full: boolean }} How
 * @typedef {{ line: (line: MutantLine | EquivalentLine) => void, ended: (id: string, why: string) => void }} Tell
 */

/**
 * Runs these mutants and equivalents; each is told once, also one whose process ended under it.
 * @param {readonly string[]} ids
 * @param {How} how
 * @param {Tell} tell
 */
export async function runAll(ids, how, tell) {
  const queue = [...ids];
  const processes = Math.min(availableParallelism(), ids.length);
  await Promise.all(Array.from({ length: processes }, () => worker(queue, how, tell)));
}

/**
 * One process until the queue is empty; another in its place when it ends before.
 * @param {string[]} queue
 * @param {How} how
 * @param {Tell} tell
 * @returns {Promise<void>}
 */
async function worker(queue, how, tell) {
  while (queue.length > 0) {
    const child = fork(path.join(root, 'scripts/mutants-worker.mjs'), { stdio: 'inherit' });
    /** @type {Set<string>} */
    const out = new Set();
    const next = () => {
      const id = queue.shift();
      if (id !== undefined) {
        out.add(id);
        child.send({ id, ...how });
      } else if (out.size === 0 && child.connected) child.disconnect();
    };
    child.on('message', (told) => {
      if (told === 'ready') {
        for (let lane = 0; lane < AT_ONCE; lane += 1) next();
      } else if (isLine(told)) {
        out.delete(told.id);
        tell.line(told);
        next();
      }
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    for (const id of out) tell.ended(id, `its process ended with ${code}`);
  }
}

/**
 * What a worker tells is what `mutants-worker.mjs` makes.
 * @param {unknown} told
 * @returns {told is MutantLine | EquivalentLine}
 */
function isLine(told) {
  return typeof told === 'object' && told !== null && 'id' in told && ('killed' in told || 'offended' in told);
}

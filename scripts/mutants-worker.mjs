// One process of `npm run mutants`: runs the mutants it is sent, a few at a time, and reports each.
import { built } from './snapshots/paths.mjs';

/** Mutants at a time in one process: most of a mutant's time is waiting for fixture processes. */
const AT_ONCE = 3;

/** @typedef {{ id: string, killed: boolean, by: string[], strangers: string[], why: string, durationMs: number }} MutantLine */

const { mutantById } = await built('conformance/dist/subjects/mutants/index.js');
const { runMutant } = await built('conformance/dist/subjects/mutants/run-mutant.js');

/** @type {(result: { check: string }) => string} */
const name = (result) => result.check;

/**
 * @param {string} id
 * @param {number} seed
 */
async function one(id, seed) {
  let run = await runMutant(mutantById(id), { seed });
  // A busy machine can hide a defect that shows in time alone; a check that cannot find it misses it twice.
  if (run.killers.length === 0) run = await runMutant(mutantById(id), { seed });
  /** @type {MutantLine} */
  const line = {
    id,
    killed: run.killers.length > 0,
    by: run.killers.map(name),
    strangers: run.strangers.map(name),
    why: run.survivals.map((/** @type {{ check: string, message: string }} */ each) => `${each.check}: ${each.message}`).join('; '),
    durationMs: run.durationMs,
  };
  process.send?.(line);
}

/** @param {{ ids: string[], seed: number }} work */
async function all({ ids, seed }) {
  const queue = [...ids];
  const lane = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await one(id, seed);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  process.disconnect();
}

process.once('message', (/** @type {{ ids: string[], seed: number }} */ work) => void all(work));

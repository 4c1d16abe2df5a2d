// One process of `npm run mutants`: runs each mutant it is sent and reports it.
import { built } from './snapshots/paths.mjs';

/**
 * @typedef {{ id: string, seed: number, full: boolean }} MutantWork
 * @typedef {{ id: string, killed: boolean, by: string[], strangers: string[], spared: string[], unjudged: string[], why: string, durationMs: number }} MutantLine
 */

const { mutantById } = await built('conformance/dist/subjects/mutants/index.js');
const { runMutant } = await built('conformance/dist/subjects/mutants/run-mutant.js');

/** @type {(result: { check: string }) => string} */
const name = (result) => result.check;

/** @param {MutantWork} work */
async function one({ id, seed, full }) {
  let run = await runMutant(mutantById(id), { seed, full });
  // A busy machine can hide a defect that shows in time alone; a check that cannot find it misses it twice.
  if (run.killers.length === 0) run = { ...(await runMutant(mutantById(id), { seed })), strangers: run.strangers };
  /** @type {MutantLine} */
  const line = {
    id,
    killed: run.killers.length > 0,
    by: run.killers.map(name),
    strangers: run.strangers.map(name),
    spared: [...mutantById(id).neighbours],
    unjudged: run.unjudged.map(name),
    why: run.survivals.map((/** @type {{ check: string, message: string }} */ each) => `${each.check}: ${each.message}`).join('; '),
    durationMs: run.durationMs,
  };
  process.send?.(line);
}

process.on('message', (/** @type {MutantWork} */ work) => void one(work));
process.send?.('ready');

// One process of `npm run mutants`: runs each mutant and equivalent it is sent and reports it.
import { built } from './snapshots/paths.mjs';

/**
 * @typedef {{ id: string, seed: number, full: boolean }} MutantWork
 * @typedef {{ id: string, killed: boolean, by: string[], strangers: string[], doubts: string[], spared: string[], unjudged: string[], why: string, durationMs: number }} MutantLine
 * @typedef {{ id: string, offended: string[], uses: number, durationMs: number }} EquivalentLine
 */

const { mutantById } = await built('conformance/dist/subjects/mutants/index.js');
const { equivalents } = await built('conformance/dist/subjects/mutants/equivalents/index.js');
const { runEquivalent } = await built('conformance/dist/subjects/mutants/equivalents/run-equivalent.js');
const { runMutant } = await built('conformance/dist/subjects/mutants/run-mutant.js');

/** @type {(result: { check: string }) => string} */
const name = (result) => result.check;

/** @param {MutantWork} work */
async function mutant({ id, seed, full }) {
  let run = await runMutant(mutantById(id), { seed, full });
  // A busy machine can hide a defect that shows in time alone; a check that cannot find it misses it twice.
  if (run.killers.length === 0) run = { ...(await runMutant(mutantById(id), { seed })), strangers: run.strangers, doubts: run.doubts };
  /** @type {MutantLine} */
  const line = {
    id,
    killed: run.killers.length > 0,
    by: run.killers.map(name),
    strangers: run.strangers.map(name),
    doubts: run.doubts.map((/** @type {{ check: string, message: string }} */ each) => `${each.check}: ${each.message}`),
    spared: [...mutantById(id).neighbours],
    unjudged: run.unjudged.map(name),
    why: run.survivals.map((/** @type {{ check: string, message: string }} */ each) => `${each.check}: ${each.message}`).join('; '),
    durationMs: run.durationMs,
  };
  process.send?.(line);
}

/** @param {MutantWork} work */
async function equivalent({ id, seed, full }) {
  const { offended, uses, durationMs } = await runEquivalent(equivalents.find((/** @type {{ id: string }} */ one) => one.id === id), { seed, full });
  /** @type {EquivalentLine} */
  const line = { id, offended: offended.map((/** @type {{ check: string, message: string }} */ each) => `${each.check}: ${each.message}`), uses, durationMs };
  process.send?.(line);
}

process.on('message', (/** @type {MutantWork} */ work) => void (work.id.startsWith('EQUIVALENT/') ? equivalent(work) : mutant(work)));
process.send?.('ready');

// `npm run mutants`: plants each defect in the reference and says which check found it; then does things in another way
// that breaks nothing, which no check may fail. Of all of them together each check has to find one; checks that a defect leaves in
// doubt are listed, and are no error. Ends with `survived N of N equivalents` and `killed N of N`.
//   words      only those whose ids hold one of them
//   --full     against every check of every area, where otherwise against those of its own
//   --resume   leaves out what an interrupted run of the same build has done
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runAll } from './mutants/pool.mjs';
import { RESULTS_VERSION, buildFingerprint, doneBefore } from './mutants/resume.mjs';
import { idleChecks, notAsked } from './mutants/tally.mjs';
import { built, root } from './snapshots/paths.mjs';

/** Fixed, so that a mutant that survives does so again. */
const SEED = 20_261_130;


/**
 * @typedef {import('./mutants-worker.mjs').MutantLine} MutantLine
 * @typedef {import('./mutants-worker.mjs').EquivalentLine} EquivalentLine
 */

const given = process.argv.slice(2);
const unknown = given.find((word) => word.startsWith('-') && word !== '--full' && word !== '--resume');
const full = given.includes('--full');
/** A file of its own for the whole matrix, so that a short run costs nobody an hour. */
const RESULTS = path.join(root, 'reports', full ? 'mutants-full.json' : 'mutants.json');
const words = given.filter((word) => !word.startsWith('-')).map((word) => word.toLowerCase());

const { mutants } = await built('conformance/dist/subjects/mutants/index.js');
const { neighboursOf } = await built('conformance/dist/subjects/mutants/neighbours.js');
const { equivalents } = await built('conformance/dist/subjects/mutants/equivalents/index.js');
const { checks } = await built('conformance/dist/index.js');
const ids = asked(mutants);
const others = asked(equivalents);

const build = buildFingerprint(root);
const known = doneBefore(RESULTS, { build, seed: SEED, full }, neighboursOf);
const aside = notAsked(known, ids);
/** @type {MutantLine[]} */
const lines = given.includes('--resume') ? known.filter(({ id }) => ids.includes(id)) : [];

/** @type {EquivalentLine[]} */
const equivalentLines = [];

/**
 * @param {readonly { id: string }[]} all
 * @returns {string[]}
 */
function asked(all) {
  return all.map(({ id }) => id).filter((id) => words.length === 0 || words.some((word) => id.toLowerCase().includes(word)));
}

/** @param {EquivalentLine} line */
function reportEquivalent(line) {
  equivalentLines.push(line);
  console.log(`${survives(line) ? 'survived' : 'OFFENDED'} ${line.id} (${(line.durationMs / 1000).toFixed(1)} s)${line.uses === 0 ? ' and was never used' : ''}`);
  for (const each of line.offended) console.log(`         ${each}`);
  save();
}

/** @param {EquivalentLine} line */
function survives({ offended, uses }) {
  return offended.length === 0 && uses > 0;
}

const tell = {
  /** @param {MutantLine | EquivalentLine} line */
  line: (line) => ('offended' in line ? reportEquivalent(line) : report(line)),
  /** @type {(id: string, why: string) => void} */
  ended: (id, why) => {
    if (others.includes(id)) reportEquivalent({ id, offended: [why], uses: 0, durationMs: 0 });
    else report({ id, killed: false, by: [], strangers: [], doubts: [], spared: [], unjudged: [], why, durationMs: 0 });
  },
};

/** @param {MutantLine} line */
function report(line) {
  lines.push(line);
  console.log(`${line.killed ? 'killed  ' : 'SURVIVED'} ${line.id} (${(line.durationMs / 1000).toFixed(1)} s) ${line.killed ? `by ${line.by.join(', ')}` : line.why}`);
  if (line.strangers.length > 0) console.log(`         also failed, and is no declared neighbour: ${line.strangers.join(', ')}`);
  for (const each of line.doubts) console.log(`         in doubt: ${each}`);
  save();
}

/** After each, so that an interrupted run can be resumed. */
function save() {
  const mutantsById = [...aside, ...lines].sort((a, b) => (a.id < b.id ? -1 : 1));
  writeFileSync(RESULTS, `${JSON.stringify({ mutants: RESULTS_VERSION, build, seed: SEED, full, lines: mutantsById, equivalents: equivalentLines }, null, 2)}\n`);
}

/** The published table is what the mutants declare; this run is what confirms it. */
function tableProblem() {
  /** @type {{ rows: { mutant: string }[] }} */
  const table = JSON.parse(readFileSync(path.join(root, 'conformance/kill-table.json'), 'utf8'));
  const published = new Set(table.rows.map(({ mutant }) => mutant));
  const missing = ids.filter((id) => !published.has(id));
  return missing.length === 0 ? undefined : `conformance/kill-table.json lacks ${missing.join(', ')}; run npm run snapshots`;
}

async function main() {
  if (unknown !== undefined) {
    console.error(`mutants: ${unknown}: no such option; there are --full and --resume`);
    return 2;
  }
  if (ids.length + others.length === 0) {
    console.error(`no mutant is called ${words.join(', ')}; give a part of an id, such as NAMING or NAMING-003, or nothing for all`);
    return 2;
  }
  mkdirSync(path.dirname(RESULTS), { recursive: true });
  const before = new Set(lines.map(({ id }) => id));
  if (before.size > 0) console.log(`${before.size} were done before`);
  await runAll([...ids.filter((id) => !before.has(id)), ...others], { seed: SEED, full }, tell);
  const killed = lines.filter((line) => line.killed).length;
  const strangers = lines.filter((line) => line.strangers.length > 0);
  const problem = full ? tableProblem() : undefined;
  if (strangers.length > 0) console.log(`undeclared neighbours in ${strangers.length}: ${strangers.map(({ id }) => id).join(', ')}`);
  if (problem !== undefined) console.log(problem);
  const idle = words.length > 0 ? [] : idleChecks(checks.map((/** @type {{ id: string }} */ { id }) => id), lines);
  if (idle.length > 0) console.log(`checks that no mutant shows to find anything: ${idle.join(', ')}`);
  const inDoubt = lines.filter((line) => line.doubts.length > 0);
  if (inDoubt.length > 0) console.log(`doubts of bystanders in ${inDoubt.length}: ${inDoubt.map(({ id }) => id).join(', ')}`);
  const surviving = equivalentLines.filter(survives).length;
  console.log(`survived ${surviving} of ${others.length} equivalents`);
  console.log(`killed ${killed} of ${ids.length}`);
  return killed === ids.length && surviving === others.length && strangers.length + idle.length === 0 && problem === undefined ? 0 : 1;
}

process.exitCode = await main();

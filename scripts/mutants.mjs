// `npm run mutants`: plants each defect in the reference and says which check found it. Ends with `killed N of N`.
import { mutants } from '../conformance/dist/subjects/mutants/index.js';
import { runMutant } from '../conformance/dist/subjects/mutants/run-mutant.js';

/** Fixed, so that a mutant that survives does so again. */
const SEED = 20_261_130;
/** Mutants that run side by side: most of their time is spent waiting for bounds. */
const LANES = 4;

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const meant = mutants.filter(({ id }) => words.length === 0 || words.some((word) => id.toLowerCase().includes(word)));
if (meant.length === 0) {
  console.error(`no mutant is called ${words.join(', ')}; give a part of an id, such as NAMING or NAMING-003, or nothing for all`);
  process.exit(2);
}

const left = [...meant];
let killed = 0;
const lane = async () => {
  for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
    const { killers, survivals, durationMs } = await runMutant(mutant, { seed: SEED, killersOnly: true });
    const [killer] = killers;
    if (killer !== undefined) killed += 1;
    console.log(`${killer === undefined ? 'SURVIVED' : 'killed'.padEnd(8)} ${mutant.id} (${(durationMs / 1000).toFixed(1)} s)${killer === undefined ? '' : ` by ${killers.map(({ check }) => check).join(', ')}`}`);
    if (killer === undefined) for (const { check, message } of survivals) console.log(`         ${check} said ${message}`);
  }
};
await Promise.all(Array.from({ length: LANES }, lane));
console.log(`killed ${killed} of ${meant.length}`);
process.exitCode = killed === meant.length ? 0 : 1;

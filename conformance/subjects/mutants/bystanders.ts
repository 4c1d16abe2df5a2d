/** Runs checks of which it is only of interest whether one of them fails. */
import { createHash } from 'node:crypto';
import { isAdapterError, runCheck, type Check, type Judgement, type Plan, type SubjectWorker } from 'mcp-bridge-conformance';
import { asOne, byExercise } from './one-exercise.ts';

/** What a check said. `no verdict`: the way to the subject was unfit. */
export interface Said {
  readonly check: string;
  readonly verdict: Judgement['verdict'] | 'no verdict';
  readonly message: string;
}

/** How to run. */
export interface BystanderOptions {
  readonly seed: number;
  /** Whose turn decides which check of an invariant is run; every check where it is absent. */
  readonly byTurnsOf?: string;
}

/** Inputs of a property that is not about the invariant in question: it is there to show a stranger, not to prove a law. */
const BYSTANDER_RUNS = 3;

/** What these checks say, each exercise run once where all is well. */
export async function runBystanders(plans: readonly Plan[], worker: SubjectWorker, { seed, byTurnsOf }: BystanderOptions): Promise<readonly Said[]> {
  const short = plans.map((plan) => ({ ...plan, check: shortened(plan.check) }));
  const said: Said[] = [];
  for (const group of byExercise(byTurnsOf === undefined ? short : oneEach(short, byTurnsOf))) said.push(...(await together(group, worker, seed)));
  return said;
}

/** What one check says. Never throws for what a subject does. */
export async function verdictOf(plan: Plan, worker: SubjectWorker, seed: number): Promise<Said> {
  const check = plan.check.id;
  try {
    const { verdict, message } = await runCheck(plan, worker, { seed, shrinkLimitMs: 0 });
    return { check, verdict, message };
  } catch (error) {
    if (!isAdapterError(error)) throw error;
    worker.discard();
    return { check, verdict: 'no verdict', message: error.message };
  }
}

/** Of each invariant the check whose turn it is. */
function oneEach(plans: readonly Plan[], name: string): Plan[] {
  const turn = createHash('sha256').update(name).digest().readUInt32BE();
  return [...new Set(plans.map(({ invariant }) => invariant))].flatMap((invariant) => {
    const own = plans.filter((plan) => plan.invariant === invariant);
    return own.slice(turn % own.length).slice(0, 1);
  });
}

/** What bystanders of one exercise say; each for itself where they do not agree that all is well. */
async function together(group: readonly Plan[], worker: SubjectWorker, seed: number): Promise<readonly Said[]> {
  const [first, ...more] = group;
  if (first === undefined) return [];
  const all = await verdictOf(asOne([first, ...more]), worker, seed);
  if (more.length === 0 || all.verdict === 'pass') return [all];
  const each: Said[] = [];
  for (const plan of group) each.push(await verdictOf(plan, worker, seed));
  return each;
}

function shortened(check: Check): Check {
  // So few inputs cover nothing in particular, and that is no doubt about the bridge.
  return check.kind === 'property' ? { ...check, runs: Math.min(check.runs, BYSTANDER_RUNS), minimums: {} } : check;
}

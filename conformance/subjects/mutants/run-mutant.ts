/**
 * Runs the suite against one mutant: the checks of the invariant that it breaks, which must find it, and others, of its
 * area or of all, of which only declared neighbours may fail.
 */
import { createHash } from 'node:crypto';
import { checks, invariantById, isAdapterError, plansOf, runCheck, SubjectWorker, type Check, type Judgement, type Plan } from 'mcp-bridge-conformance';
import type { Mutant } from './mutant.ts';
import { asOne, byExercise } from './one-exercise.ts';

/** A check that failed with a mutant. */
export interface FailedCheck {
  readonly check: string;
  readonly message: string;
}

/** What came of one mutant. */
export interface MutantOutcome {
  readonly mutant: string;
  /** Checks of the broken invariant that failed; the mutant survived when there are none. */
  readonly killers: readonly FailedCheck[];
  /** Other checks that failed although their invariant is no declared neighbour. */
  readonly strangers: readonly FailedCheck[];
  /** What the checks of the broken invariant said that did not fail, for the report of a survivor. */
  readonly survivals: readonly FailedCheck[];
  /** Other checks of which the defect made the adapter unfit: an error of the way to a subject is no verdict. */
  readonly unjudged: readonly FailedCheck[];
  /** Milliseconds. */
  readonly durationMs: number;
}

/** How to run. */
export interface RunMutantOptions {
  readonly seed: number;
  /** Only the checks of the broken invariant: enough to say whether the mutant is killed. */
  readonly killersOnly?: boolean;
  /** Every check of every area, where otherwise those of its own are run. */
  readonly full?: boolean;
  /** Of other invariants one check each, not the same one for every mutant: a fraction of the time. */
  readonly byTurns?: boolean;
}

/** Inputs of a property that is not about the broken invariant: it is there to show a stranger, not to prove a law. */
const BYSTANDER_RUNS = 3;

/** Runs one mutant against scripted servers. Never throws for what the mutant does. */
export async function runMutant(mutant: Mutant, { seed, killersOnly = false, full = false, byTurns = false }: RunMutantOptions): Promise<MutantOutcome> {
  const startedAtMs = performance.now();
  const killers: FailedCheck[] = [];
  const strangers: FailedCheck[] = [];
  const survivals: FailedCheck[] = [];
  const unjudged: FailedCheck[] = [];
  const worker = new SubjectWorker(mutant.create());
  try {
    const areas = full ? {} : { areas: [invariantById(mutant.kills).area] };
    const plans = plansOf({ ...areas, targets: ['fixture'] }, checks);
    for (const plan of plans.filter(({ check }) => check.invariant === mutant.kills)) {
      const { verdict, message } = await verdictOf(plan, worker, seed);
      (verdict === 'fail' ? killers : survivals).push({ check: plan.check.id, message: `${verdict}: ${message}` });
    }
    const others = plans
      .filter(({ check }) => !killersOnly && check.invariant !== mutant.kills && !mutant.neighbours.includes(check.invariant))
      .map((plan) => ({ ...plan, check: shortened(plan.check) }));
    for (const group of byExercise(byTurns ? oneEach(others, mutant.id) : others)) {
      for (const { check, verdict, message } of await bystanders(group, worker, seed)) {
        const told = { check, message: `${verdict}: ${message}` };
        if (verdict === 'fail') strangers.push(told);
        else if (verdict === 'no verdict') unjudged.push(told);
      }
    }
  } finally {
    worker.discard();
  }
  return { mutant: mutant.id, killers, strangers, survivals, unjudged, durationMs: Math.round(performance.now() - startedAtMs) };
}

/** Of each invariant the check whose turn it is with this mutant. */
function oneEach(plans: readonly Plan[], mutant: string): Plan[] {
  const turn = createHash('sha256').update(mutant).digest().readUInt32BE();
  return [...new Set(plans.map(({ invariant }) => invariant))].flatMap((invariant) => {
    const own = plans.filter((plan) => plan.invariant === invariant);
    return own.slice(turn % own.length).slice(0, 1);
  });
}

/** What bystanders of one exercise say; each for itself where they do not agree that all is well. */
async function bystanders(group: readonly Plan[], worker: SubjectWorker, seed: number): Promise<readonly Said[]> {
  const [first, ...more] = group;
  if (first === undefined) return [];
  const together = { check: first.check.id, ...(await verdictOf(asOne([first, ...more]), worker, seed)) };
  if (more.length === 0 || together.verdict === 'pass') return [together];
  const each: Said[] = [];
  for (const plan of group) each.push({ check: plan.check.id, ...(await verdictOf(plan, worker, seed)) });
  return each;
}

interface Said {
  readonly check: string;
  readonly verdict: Judgement['verdict'] | 'no verdict';
  readonly message: string;
}

async function verdictOf(plan: Plan, worker: SubjectWorker, seed: number): Promise<Omit<Said, 'check'>> {
  try {
    return await runCheck(plan, worker, { seed, shrinkLimitMs: 0 });
  } catch (error) {
    if (!isAdapterError(error)) throw error;
    worker.discard();
    return { verdict: 'no verdict', message: error.message };
  }
}

function shortened(check: Check): Check {
  return check.kind === 'property' ? { ...check, runs: Math.min(check.runs, BYSTANDER_RUNS) } : check;
}

/**
 * Runs the suite against one mutant: the checks of the invariant that it breaks, which must find it, and others, of its
 * area or of all, of which only declared neighbours may fail.
 */
import { checks, invariantById, plansOf, SubjectWorker } from 'mcp-bridge-conformance';
import { runBystanders, verdictOf } from './bystanders.ts';
import type { Mutant } from './mutant.ts';

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
  /** Other checks that were in doubt: no error, since a defect may hide what they look at, and worth a look, since a doubt may hide an alarm. */
  readonly doubts: readonly FailedCheck[];
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

/** Runs one mutant against scripted servers and, where it is not by turns, against the real ones. Never throws for what the mutant does. */
export async function runMutant(mutant: Mutant, { seed, killersOnly = false, full = false, byTurns = false }: RunMutantOptions): Promise<MutantOutcome> {
  const startedAtMs = performance.now();
  const killers: FailedCheck[] = [];
  const strangers: FailedCheck[] = [];
  const doubts: FailedCheck[] = [];
  const survivals: FailedCheck[] = [];
  const unjudged: FailedCheck[] = [];
  const worker = new SubjectWorker(mutant.create());
  try {
    const areas = full ? {} : { areas: [invariantById(mutant.kills).area] };
    const plans = plansOf({ ...areas, targets: ['fixture'] }, checks);
    const own = plansOf(areas, checks).filter(({ check }) => check.invariant === mutant.kills);
    for (const plan of own) {
      // By turns a real server is asked only where no scripted one showed the defect.
      if (byTurns && plan.target !== 'fixture' && killers.length > 0) continue;
      const { verdict, message } = await verdictOf(plan, worker, seed);
      (verdict === 'fail' ? killers : survivals).push({ check: plan.check.id, message: `${verdict}: ${message}` });
    }
    const others = plans.filter(({ check }) => !killersOnly && check.invariant !== mutant.kills && !mutant.neighbours.includes(check.invariant));
    for (const { check, verdict, message } of await runBystanders(others, worker, { seed, ...(byTurns ? { byTurnsOf: mutant.id } : {}) })) {
      const told = { check, message: `${verdict}: ${message}` };
      if (verdict === 'fail') strangers.push(told);
      else if (verdict === 'inconclusive') doubts.push(told);
      else if (verdict === 'no verdict') unjudged.push(told);
    }
  } finally {
    worker.discard();
  }
  return { mutant: mutant.id, killers, strangers, doubts, survivals, unjudged, durationMs: Math.round(performance.now() - startedAtMs) };
}

/**
 * What the inputs of one property came to, and how each is tried: those that are drawn, and those that a failure is made smaller to.
 */
import type { PropertyCheck } from '../checks/check.ts';
import { nowMs } from '../history/clock.ts';
import type { Attempt } from './attempt.ts';
import type { PropertySession } from './property-session.ts';
import { settleVerdict, type Outcome } from './second-try.ts';
import type { Trial, TrialAttempt } from './trial.ts';

/** After so many inputs in doubt no more are tried: the property is inconclusive, and each may have cost its whole limit. */
const MAX_DOUBTS = 3;

/** Where one run of fast-check stands. */
export class Tally {
  readonly labels: Record<string, number> = {};
  readonly trials: Trial[] = [];
  /** Why an input has no verdict; ends everything. */
  thrown: { readonly error: unknown } | undefined;
  /** The first input without a verdict: it did not conclude twice in a row, or its failure did not recur. */
  doubt: Outcome | undefined;
  doubts = 0;
  lastPass: Attempt | undefined;
  lastWithout: Attempt | undefined;
  /** The first failure, once it recurred, and those that were found by making it smaller. */
  readonly failures: Attempt[] = [];
  inputs = 0;
  shrinkUntilMs = Infinity;
  /** The time limit has passed: an input that is still at work ends, and nothing is made of it. */
  over = false;
  readonly shrinkLimitMs: number;

  constructor(shrinkLimitMs: number) {
    this.shrinkLimitMs = shrinkLimitMs;
  }

  addDoubt(outcome: Outcome): void {
    this.doubt ??= outcome;
    this.doubts += 1;
  }
}

/** Whether what failed may leave something behind in the subject, so that a try after it needs another one. */
export function startsAfresh(check: PropertyCheck): boolean {
  return check.shrinkLimitMs !== undefined;
}

/** Tries an input as fast-check wants it: an error is a failure. What else goes wrong is in the tally. */
export async function tryInput(check: PropertyCheck, session: PropertySession, tally: Tally, input: unknown): Promise<void> {
  if (tally.thrown !== undefined || tally.doubts >= MAX_DOUBTS || nowMs() > tally.shrinkUntilMs) return;
  if (tally.failures.length > 0) return trySmaller(check, session, tally, input);
  const attempts: TrialAttempt[] = [];
  const once = async (): Promise<Attempt> => {
    const made = await session.attempt(input);
    attempts.push(made);
    return made;
  };
  try {
    tally.trials.push({ role: 'input', labels: check.labels(input), attempts });
    let tried = await once();
    if (tally.over) {
      tally.trials.pop();
      return;
    }
    if (tried.judgement.verdict === 'inconclusive') {
      const second = await once();
      const settled = settleVerdict(tried, second);
      if (settled.judgement.verdict === 'inconclusive') tally.addDoubt(settled);
      tried = { ...second, judgement: settled.judgement };
    }
    tally.inputs += 1;
    if (tried.judgement.verdict === 'pass' || tried.judgement.verdict === 'fail') {
      for (const label of check.labels(input)) tally.labels[label] = (tally.labels[label] ?? 0) + 1;
    }
    if (tried.judgement.verdict === 'pass') tally.lastPass = tried;
    if (tried.judgement.verdict === 'not-applicable') tally.lastWithout = tried;
    if (tried.judgement.verdict !== 'fail') return;
    // Inputs before this one may have left something behind: only what fails from a fresh start is worth shrinking.
    await session.end();
    const settled = settleVerdict(tried, await once());
    if (settled.judgement.verdict !== 'fail') {
      tally.addDoubt(settled);
      return;
    }
    await keepFailure(check, session, tally, tried);
    tally.shrinkUntilMs = nowMs() + tally.shrinkLimitMs;
  } catch (error) {
    tally.thrown = { error };
    return;
  }
  // To fast-check a failure is an error.
  throw new Error('failed');
}

/** An input that is smaller than one that failed, tried once: a doubt only means that it is not shown to fail. */
async function trySmaller(check: PropertyCheck, session: PropertySession, tally: Tally, input: unknown): Promise<void> {
  try {
    const tried = await session.attempt(input);
    if (tally.over || tried.judgement.verdict !== 'fail') return;
    await keepFailure(check, session, tally, tried);
  } catch (error) {
    tally.thrown = { error };
    return;
  }
  throw new Error('failed');
}

async function keepFailure(check: PropertyCheck, session: PropertySession, tally: Tally, tried: Attempt): Promise<void> {
  tally.failures.push(tried);
  if (!startsAfresh(check) || tally.shrinkLimitMs === 0) return;
  session.hurry();
  await session.end(true);
}

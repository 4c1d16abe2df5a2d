/**
 * A property: many inputs of one arbitrary, the first that fails made as small as time allows, then tried once more from
 * seed and path alone, which is what a replay does.
 */
import { asyncProperty, check as checkProperty, stringify } from 'fast-check';
import type { Judgement, PropertyCheck } from '../checks/check.ts';
import { nowMs } from '../history/clock.ts';
import type { Attempt } from './attempt.ts';
import { conclude } from './conclude.ts';
import { PROPERTY_LIMIT_MS, SHRINK_LIMIT_MS } from './limits.ts';
import { PropertySession } from './property-session.ts';
import type { RunOptions } from './run-options.ts';
import { settleVerdict, type Outcome } from './second-try.ts';
import type { Trial, TrialAttempt } from './trial.ts';
import type { BenchMaker } from './with-bench.ts';

/** A property's outcome with what a replay needs. */
export interface PropertyOutcome extends Outcome {
  readonly path?: string;
  readonly counterexample?: string;
  readonly inputs: number;
  readonly shrinks: number;
  readonly labels: Readonly<Record<string, number>>;
  /** Every attempt the verdict was reached by; absent in a replay. */
  readonly trials?: readonly Trial[];
}

/** After so many inputs in doubt no more are tried: the property is inconclusive, and each may have cost its whole limit. */
const MAX_DOUBTS = 3;

/** Where one run of fast-check stands. */
class Tally {
  readonly labels: Record<string, number> = {};
  readonly trials: Trial[] = [];
  /** Why an input has no verdict; ends everything. */
  thrown: { readonly error: unknown } | undefined;
  /** The first input without a verdict: it did not conclude twice in a row, or its failure did not recur. */
  doubt: Outcome | undefined;
  doubts = 0;
  lastPass: Attempt | undefined;
  lastWithout: Attempt | undefined;
  /** The smallest failure so far. */
  failed: Attempt | undefined;
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
    // While shrinking, a doubt only means that a smaller input is not shown to fail.
    if (this.failed === undefined) this.doubts += 1;
  }
}

/** Runs the property. @throws NotApplicable and AdapterError */
export async function runProperty(
  check: PropertyCheck,
  seed: number,
  benches: BenchMaker,
  { path, shrinkLimitMs = SHRINK_LIMIT_MS, propertyLimitMs = PROPERTY_LIMIT_MS }: Pick<RunOptions, 'path' | 'shrinkLimitMs' | 'propertyLimitMs'> = {},
): Promise<PropertyOutcome> {
  if (path !== undefined) return (await replay(check, seed, benches, path)).outcome;
  const tally = new Tally(shrinkLimitMs);
  const session = new PropertySession(check, seed, benches);
  for (const label of Object.keys(check.minimums)) tally.labels[label] = 0;
  let current = Promise.resolve();
  try {
    const details = await checkProperty(
      asyncProperty(check.arbitrary, (input) => (current = tryInput(check, session, tally, input))),
      {
        seed, numRuns: check.runs, endOnFailure: shrinkLimitMs === 0,
        interruptAfterTimeLimit: propertyLimitMs + shrinkLimitMs, markInterruptAsFailure: false,
      },
    );
    // fast-check does not wait for an input that its limit interrupts, and that input still works with the adapter.
    tally.over = true;
    await current.catch(() => undefined);
    if (tally.thrown !== undefined) throw tally.thrown.error;
    const facts = { inputs: tally.inputs, shrinks: details.numShrinks, labels: tally.labels };
    if (tally.failed === undefined || details.counterexamplePath === null) return { ...conclude(check, tally), ...facts, trials: tally.trials };
    await session.end();
    const again = await replay(check, seed, benches, details.counterexamplePath);
    const counterexample = stringify(details.counterexample?.[0]);
    const trials: Trial[] = [...tally.trials, { role: 'shrunk', attempts: [tally.failed, ...again.attempts] }];
    return { ...settleVerdict(tally.failed, again.outcome), ...facts, trials, path: details.counterexamplePath, counterexample };
  } finally {
    await session.end();
  }
}

async function tryInput(check: PropertyCheck, session: PropertySession, tally: Tally, input: unknown): Promise<void> {
  if (tally.thrown !== undefined || tally.doubts >= MAX_DOUBTS || nowMs() > tally.shrinkUntilMs) return;
  const attempts: TrialAttempt[] = [];
  const once = async (): Promise<Attempt> => {
    const made = await session.attempt(input);
    attempts.push(made);
    return made;
  };
  try {
    if (tally.failed === undefined) tally.trials.push({ role: 'input', labels: check.labels(input), attempts });
    let tried = await once();
    if (tally.over) {
      if (tally.failed === undefined) tally.trials.pop();
      return;
    }
    if (tried.judgement.verdict === 'inconclusive') {
      const second = await once();
      const settled = settleVerdict(tried, second);
      if (settled.judgement.verdict === 'inconclusive') tally.addDoubt(settled);
      tried = { ...second, judgement: settled.judgement };
    }
    if (tally.failed === undefined) {
      tally.inputs += 1;
      if (tried.judgement.verdict === 'pass' || tried.judgement.verdict === 'fail') {
        for (const label of check.labels(input)) tally.labels[label] = (tally.labels[label] ?? 0) + 1;
      }
    }
    if (tried.judgement.verdict === 'pass') tally.lastPass = tried;
    if (tried.judgement.verdict === 'not-applicable') tally.lastWithout = tried;
    if (tried.judgement.verdict !== 'fail') return;
    if (tally.failed === undefined) {
      // Inputs before this one may have left something behind: only what fails from a fresh start is worth shrinking.
      await session.end();
      const settled = settleVerdict(tried, await once());
      if (settled.judgement.verdict !== 'fail') {
        tally.addDoubt(settled);
        return;
      }
      tally.shrinkUntilMs = nowMs() + tally.shrinkLimitMs;
    }
    tally.failed = tried;
  } catch (error) {
    tally.thrown = { error };
    return;
  }
  throw new Error(tally.failed.judgement.message);
}

/** One input, from seed and path: what came of it, and the attempt if there is such an input. */
interface Replayed {
  readonly outcome: PropertyOutcome;
  readonly attempts: readonly Attempt[];
}

/** One input, from seed and path. @throws NotApplicable and AdapterError */
async function replay(check: PropertyCheck, seed: number, benches: BenchMaker, path: string): Promise<Replayed> {
  const session = new PropertySession(check, seed, benches);
  let tried: Attempt | undefined;
  let thrown: { readonly error: unknown } | undefined;
  let text = '';
  try {
    await checkProperty(
      asyncProperty(check.arbitrary, async (input) => {
        // fast-check goes on to other inputs after one that passes; a replay is about one.
        if (tried !== undefined || thrown !== undefined) return;
        text = stringify(input);
        try {
          tried = await session.attempt(input);
        } catch (error) {
          thrown = { error };
        }
      }),
      { seed, path, numRuns: check.runs, endOnFailure: true },
    );
  } finally {
    await session.end();
  }
  if (thrown !== undefined) throw thrown.error;
  const facts = { path, counterexample: text, inputs: 1, shrinks: 0, labels: {} };
  if (tried === undefined) {
    const judgement: Judgement = { verdict: 'inconclusive', message: `no input is at path ${path} of seed ${seed}` };
    return { outcome: { judgement, history: [], ...facts }, attempts: [] };
  }
  return { outcome: { judgement: tried.judgement, history: tried.history, ...facts }, attempts: [tried] };
}

/**
 * A property: many inputs of one arbitrary, the first that fails made as small as time allows, then tried once more from
 * seed and path alone, which is what a replay does. If it does not recur, the next larger one is tried that failed.
 */
import { asyncProperty, check as checkProperty, stringify } from 'fast-check';
import type { Judgement, PropertyCheck } from '../checks/check.ts';
import type { Attempt } from './attempt.ts';
import { conclude } from './conclude.ts';
import { PROPERTY_LIMIT_MS, SHRINK_LIMIT_MS } from './limits.ts';
import { PropertySession } from './property-session.ts';
import type { RunOptions } from './run-options.ts';
import { settleVerdict, type Outcome } from './second-try.ts';
import { smallestThatRecurs } from './shrunk.ts';
import type { Trial } from './trial.ts';
import { startsAfresh, Tally, tryInput } from './tries.ts';
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

/** Runs the property. @throws NotApplicable and AdapterError */
export async function runProperty(
  check: PropertyCheck,
  seed: number,
  benches: BenchMaker,
  { path, shrinkLimitMs = check.shrinkLimitMs ?? SHRINK_LIMIT_MS, propertyLimitMs = PROPERTY_LIMIT_MS }: Pick<RunOptions, 'path' | 'shrinkLimitMs' | 'propertyLimitMs'> = {},
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
    if (tally.failures.length === 0 || details.counterexamplePath === null) return { ...conclude(check, tally), ...facts, trials: tally.trials };
    const isAfresh = startsAfresh(check) && tally.failures.length > 1;
    await session.end(isAfresh);
    const { failed, again } = await smallestThatRecurs(
      tally.failures, details.counterexamplePath, shrinkLimitMs,
      (at) => replay(check, seed, benches, at, isAfresh), ({ outcome }) => outcome.judgement.verdict === 'fail',
    );
    const { path: replayed, counterexample } = again.outcome;
    const trials: Trial[] = [...tally.trials, { role: 'shrunk', attempts: [failed, ...again.attempts] }];
    return { ...settleVerdict(failed, again.outcome), ...facts, trials, ...(replayed === undefined ? {} : { path: replayed }), ...(counterexample === undefined ? {} : { counterexample }) };
  } finally {
    await session.end();
  }
}

/** One input, from seed and path: what came of it, and the attempt if there is such an input. */
interface Replayed {
  readonly outcome: PropertyOutcome;
  readonly attempts: readonly Attempt[];
}

/**
 * One input, from seed and path.
 * @param leavesNothing whether the adapter is given up afterwards
 * @throws NotApplicable and AdapterError
 */
async function replay(check: PropertyCheck, seed: number, benches: BenchMaker, path: string, leavesNothing = false): Promise<Replayed> {
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
    await session.end(leavesNothing);
  }
  if (thrown !== undefined) throw thrown.error;
  const facts = { path, counterexample: text, inputs: 1, shrinks: 0, labels: {} };
  if (tried === undefined) {
    const judgement: Judgement = { verdict: 'inconclusive', message: `no input is at path ${path} of seed ${seed}` };
    return { outcome: { judgement, history: [], ...facts }, attempts: [] };
  }
  return { outcome: { judgement: tried.judgement, history: tried.history, ...facts }, attempts: [tried] };
}

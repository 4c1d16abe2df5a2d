/**
 * A scripted check: one attempt, and a second one where the first did not pass.
 */
import type { ScriptedCheck, Target } from '../checks/check.ts';
import { attempt, type Attempt } from './attempt.ts';
import { settleVerdict, type Outcome } from './second-try.ts';
import type { Trial } from './trial.ts';
import { withBench, type BenchMaker } from './with-bench.ts';

/** A scripted check's outcome with the attempts it was reached by. */
export interface ScriptedOutcome extends Outcome {
  readonly trials: readonly Trial[];
}

/** Runs the check against one target. @throws NotApplicable and AdapterError */
export async function runScripted(check: ScriptedCheck, target: Target, seed: number, benches: BenchMaker): Promise<ScriptedOutcome> {
  const once = (): Promise<Attempt> =>
    withBench(benches, seed, (bench) => attempt(check, bench, () => check.exercise(bench, target)));
  const first = await once();
  const second = first.judgement.verdict === 'pass' ? undefined : await once();
  const attempts = second === undefined ? [first] : [first, second];
  return { ...settleVerdict(first, second), trials: [{ role: 'input', attempts }] };
}

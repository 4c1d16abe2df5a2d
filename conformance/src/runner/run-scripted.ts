/**
 * A scripted check: one attempt, and a second one where the first did not pass.
 */
import type { ScriptedCheck, Target } from '../checks/check.ts';
import { attempt, type Attempt } from './attempt.ts';
import { settleVerdict, type Outcome } from './second-try.ts';
import { withBench, type BenchMaker } from './with-bench.ts';

/** Runs the check against one target. @throws NotApplicable and AdapterError */
export async function runScripted(check: ScriptedCheck, target: Target, seed: number, benches: BenchMaker): Promise<Outcome> {
  const once = (): Promise<Attempt> =>
    withBench(benches, seed, (bench) => attempt(check, bench, () => check.exercise(bench, target)));
  const first = await once();
  return first.judgement.verdict === 'pass' ? settleVerdict(first, undefined) : settleVerdict(first, await once());
}

/**
 * The verdict of a saved run by the judges of today. Pure: the same steps as when it ran, with the attempts that were made
 * then. An attempt that today's judge would have asked for and that was not made is done without.
 */
import type { Check } from '../checks/check.ts';
import { historyOf, type SavedAttempt, type SavedRun } from '../history/saved-run.ts';
import { conclude } from './conclude.ts';
import { settleVerdict, type Outcome, type Tried } from './second-try.ts';
import { judgeAttempt } from './weigh.ts';

/** Judges a saved run. Never throws: a judge that fails is a doubt. */
export function rejudge(check: Check, run: SavedRun): Outcome {
  const judged = (attempt: SavedAttempt): Tried => {
    const history = historyOf(run, attempt);
    const { trouble, overLimit } = attempt;
    const ending = { ...(trouble === undefined ? {} : { trouble }), ...(overLimit === undefined ? {} : { overLimit }) };
    return { history, judgement: judgeAttempt(check, history, ending) };
  };
  const trials = run.trials.map(({ role, labels = [], attempts }) => ({ role, labels, tries: attempts.map((one) => judged(one)) }));
  if (check.kind === 'scripted') {
    const [first, second] = trials[0]?.tries ?? [];
    return first === undefined ? nothing : settleVerdict(first, first.judgement.verdict === 'pass' ? undefined : second);
  }
  const inputs = trials.filter(({ role }) => role === 'input').map(({ labels, tries }) => ({ labels, ...settleInput(tries) }));
  const failed = inputs.find(({ outcome }) => outcome.judgement.verdict === 'fail');
  if (failed !== undefined) {
    const [first, second] = trials.find(({ role }) => role === 'shrunk')?.tries ?? [];
    const shrunk = first === undefined ? undefined : settleVerdict(first, second);
    // The smaller input shows the same defect, if today's judge still finds it there.
    return shrunk === undefined || shrunk.judgement.verdict === 'pass' ? failed.outcome : shrunk;
  }
  const labels: Record<string, number> = {};
  for (const label of inputs.flatMap((one) => (one.concluded ? one.labels : []))) labels[label] = (labels[label] ?? 0) + 1;
  const doubt = inputs.find(({ outcome }) => outcome.judgement.verdict === 'inconclusive')?.outcome;
  const lastPass = inputs.findLast(({ outcome }) => outcome.judgement.verdict === 'pass')?.outcome;
  const lastWithout = inputs.findLast(({ outcome }) => outcome.judgement.verdict === 'not-applicable')?.outcome;
  return conclude({ runs: run.asked ?? check.runs, minimums: check.minimums }, { doubt, lastPass, lastWithout, inputs: inputs.length, labels });
}

const nothing: Outcome = { judgement: { verdict: 'inconclusive', message: 'the saved run holds no attempt' }, history: [] };

/** What the attempts with one input say: a doubt gets a second try, a failure has to recur from a fresh start. */
function settleInput(tries: readonly Tried[]): { readonly outcome: Outcome; readonly concluded: boolean } {
  const [first, ...more] = tries;
  if (first === undefined) return { outcome: nothing, concluded: false };
  let outcome: Outcome = first;
  if (first.judgement.verdict === 'inconclusive') outcome = settleVerdict(first, more.shift());
  const concluded = outcome.judgement.verdict === 'pass' || outcome.judgement.verdict === 'fail';
  if (outcome.judgement.verdict === 'fail') outcome = settleVerdict(outcome, more.shift());
  return { outcome, concluded };
}

import { describe, expect, it } from 'vitest';
import { modelPlan } from '../../src/checks/model/plan.ts';
import { modelChecks } from '../../src/checks/model/index.ts';
import { latestRun } from '../../src/history/recorder.ts';
import { invariantById } from '../../src/catalogue/index.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { modelMutants } from '../../subjects/mutants/model/index.ts';

const SEED = 20_260_102;
/** The plans that are drawn have some ten steps and more; a counterexample is what is left of one. */
const SHORT = 14;

describe('mutants of the model', () => {
  it.each(modelMutants.map((mutant) => [mutant.id, mutant] as const))('%s is killed, and the plan that kills it is saved as data', async (_id, mutant) => {
    const check = modelChecks.find(({ invariant }) => invariant === mutant.kills);
    if (check === undefined) throw new Error(`no check of the model is about ${mutant.kills}`);
    const worker = new SubjectWorker(mutant.create());
    try {
      const result = await runCheck({ check, invariant: invariantById(check.invariant), target: 'fixture' }, worker, { seed: SEED });
      expect(result.verdict, result.message).toBe('fail');
      const history = latestRun(result.history ?? []);
      const run = history.find((event) => event.kind === 'run');
      const plan = modelPlan.parse(JSON.parse(JSON.stringify(run?.kind === 'run' ? run.input : undefined)));
      expect(plan.steps.length).toBeLessThanOrEqual(SHORT);
      // What was saved is enough to judge again.
      expect(check.judge(history)).toMatchObject({ verdict: 'fail' });
    } finally {
      worker.discard();
    }
  }, 180_000);
});

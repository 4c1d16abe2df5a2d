import { expect, it } from 'vitest';
import { invariantById } from '../../src/catalogue/index.ts';
import { modelChecks } from '../../src/checks/model/index.ts';
import { modelPlan } from '../../src/checks/model/plan.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { modelMutants } from '../../subjects/mutants/model/index.ts';

/** `npm run mutants` runs them all; what is saved of a failure is the same for each. */
const KILLED = 'GENERATION-050';

it('a failure under the model is saved as plain data that judges again, and told as steps', async () => {
  const mutant = modelMutants.find(({ kills }) => kills === KILLED);
  const check = modelChecks.find(({ invariant }) => invariant === KILLED);
  if (mutant === undefined || check === undefined) throw new Error(`nothing is about ${KILLED}`);
  const worker = new SubjectWorker(mutant.create());
  try {
    const { verdict, message, history = [] } = await runCheck({ check, invariant: invariantById(KILLED), target: 'fixture' }, worker, { seed: 5, shrinkLimitMs: 0 });
    expect(verdict, message).toBe('fail');
    expect(message).toMatch(/0: .* → 1: /);
    const run = history.findLast((event) => event.kind === 'run');
    const saved: unknown = JSON.parse(JSON.stringify(run?.kind === 'run' ? run.input : undefined));
    expect(modelPlan.parse(saved).steps.length).toBeGreaterThan(0);
    expect(check.judge(history)).toMatchObject({ verdict: 'fail' });
  } finally {
    worker.discard();
  }
}, 180_000);

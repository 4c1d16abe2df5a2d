import { describe, expect, it } from 'vitest';
import { invariantById } from '../../src/catalogue/index.ts';
import { modelChecks } from '../../src/checks/model/index.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { modelMutants } from '../../subjects/mutants/model/index.ts';

const SEED = 20_260_102;

describe('mutants of the model', () => {
  it.each(modelMutants.map((mutant) => [mutant.id, mutant] as const))('%s is killed by a short plan that replays', async (_id, mutant) => {
    const check = modelChecks.find(({ invariant }) => invariant === mutant.kills);
    if (check === undefined) throw new Error(`no check of the model is about ${mutant.kills}`);
    const worker = new SubjectWorker(mutant.create());
    const plan = { check, invariant: invariantById(check.invariant), target: 'fixture' } as const;
    const result = await runCheck(plan, worker, { seed: SEED });
    expect(result.verdict, result.message).toBe('fail');
    console.log(mutant.id, result.durationMs, JSON.stringify({...result, history: undefined}, null, 1));
    worker.discard();
  });
});

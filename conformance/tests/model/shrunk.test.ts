import { formatCase, parseCase } from 'mcp-fixture-server';
import { describe, expect, it } from 'vitest';
import { caseOfHistory } from '../../src/cases/derive/from-history.ts';
import { runCase } from '../../src/cases/run-case.ts';
import { invariantById } from '../../src/catalogue/index.ts';
import { modelChecks } from '../../src/checks/model/index.ts';
import { planOf } from '../../src/checks/model/reading.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { modelMutants } from '../../subjects/mutants/model/index.ts';
import { createAdapter } from '../../subjects/reference/index.ts';

/** A seed whose first failures are long stories of two servers. */
const SEED = 20_261_130;

/** Defects by what shows them, and the most steps that their failures come down to: by a registry that is broken or stays as it was, a call, what is left. */
const FEW_STEPS: readonly (readonly [defect: string, most: number])[] = [
  ['takes-part-of-a-broken-listing', 2],
  ['forgets-what-another-announces-in-a-listing', 4],
  ['sends-again-after-a-listing', 4],
  ['sends-again-when-another-server-ends', 3],
  ['leaves-a-busy-server-beside-a-busy-one', 4],
  ['offers-the-tools-of-its-former-life', 5],
];

describe('a failure under the model', () => {
  // Side by side: most of the time is waits for what a defect keeps from coming.
  it.concurrent.each(FEW_STEPS)('with %s comes down to %d steps or fewer, and to a case that fails again and holds with the reference', { timeout: 240_000 }, async (defect, most) => {
    const mutant = modelMutants.find(({ id }) => id.endsWith(`/${defect}`));
    const check = modelChecks.find(({ invariant }) => invariant === mutant?.kills);
    if (mutant === undefined || check === undefined) throw new Error(`no mutant is called ${defect}`);
    const { kills } = mutant;
    const worker = new SubjectWorker(mutant.create());
    const reference = new SubjectWorker(createAdapter);
    try {
      const { verdict, message, history = [] } = await runCheck({ check, invariant: invariantById(kills), target: 'fixture' }, worker, { seed: SEED });
      expect(verdict, message).toBe('fail');
      expect(planOf(history)?.steps.length, message).toBeLessThanOrEqual(most);
      const derived = caseOfHistory(history, { check: check.id, invariant: kills });
      if ('reason' in derived) throw new Error(derived.reason);
      const file = parseCase(formatCase(derived.case));
      expect((await runCase(file, worker, { seed: SEED })).verdicts).toMatchObject([{ verdict: 'fail' }]);
      expect((await runCase(file, reference, { seed: SEED })).verdicts).toMatchObject([{ verdict: 'pass' }]);
    } finally {
      worker.discard();
      reference.discard();
    }
  });
});

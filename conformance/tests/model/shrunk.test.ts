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

/** One defect of each check, two of which only two servers show. The others were measured the same way. */
const DEFECTS: readonly string[] = [
  'takes-part-of-a-broken-listing', 'forgets-what-another-announces-in-a-listing', 'sends-again-when-another-server-ends', 'offers-the-tools-of-its-former-life',
];
/** What a failure comes down to at most: of those that are drawn the shortest has five steps, and most have ten or more. */
const FEW_STEPS = 5;

describe('a failure under the model', () => {
  // Side by side: most of the time is waits for what a defect keeps from coming.
  it.concurrent.each(DEFECTS)('with %s comes down to a few steps, and to a case that fails again and holds with the reference', { timeout: 240_000, retry: 1 }, async (defect) => {
    const mutant = modelMutants.find(({ id }) => id.endsWith(`/${defect}`));
    const check = modelChecks.find(({ invariant }) => invariant === mutant?.kills);
    if (mutant === undefined || check === undefined) throw new Error(`no mutant is called ${defect}`);
    const { kills } = mutant;
    const worker = new SubjectWorker(mutant.create());
    const reference = new SubjectWorker(createAdapter);
    try {
      const { verdict, message, history = [] } = await runCheck({ check, invariant: invariantById(kills), target: 'fixture' }, worker, { seed: SEED });
      expect(verdict, message).toBe('fail');
      expect(planOf(history)?.steps.length, message).toBeLessThanOrEqual(FEW_STEPS);
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

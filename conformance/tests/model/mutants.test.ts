import { formatCase, parseCase } from 'mcp-fixture-server';
import { afterAll, describe, expect, it } from 'vitest';
import { caseOfHistory } from '../../src/cases/derive/from-history.ts';
import { runCase } from '../../src/cases/run-case.ts';
import { invariantById } from '../../src/catalogue/index.ts';
import { modelChecks } from '../../src/checks/model/index.ts';
import { modelPlan } from '../../src/checks/model/plan.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { modelMutants } from '../../subjects/mutants/model/index.ts';
import { modelServerMutants } from '../../subjects/mutants/model/servers.ts';
import { createAdapter } from '../../subjects/reference/index.ts';

/** `npm run mutants` runs them all; what is saved of a failure is the same for each. */
const KILLED = 'CALL-050';

/** Their failures need no wait in vain. */
const QUICK: ReadonlySet<string> = new Set(['GENERATION-050', 'ISOLATION-050']);

const reference = new SubjectWorker(createAdapter);
afterAll(() => reference.discard());

describe('a failure under the model', () => {
  it.each(modelServerMutants.filter(({ kills }) => QUICK.has(kills)).map((one) => [one.id, one] as const))('with %s is a case that fails again and holds with the reference', async (_id, mutant) => {
    const check = modelChecks.find(({ invariant }) => invariant === mutant.kills);
    if (check === undefined) throw new Error(`nothing is about ${mutant.kills}`);
    const worker = new SubjectWorker(mutant.create());
    try {
      const failed = await runCheck({ check, invariant: invariantById(mutant.kills), target: 'fixture' }, worker, { seed: 1, shrinkLimitMs: 0 });
      expect(failed.verdict, failed.message).toBe('fail');
      const derived = caseOfHistory(failed.history ?? [], { check: check.id, invariant: mutant.kills });
      if ('reason' in derived) throw new Error(derived.reason);
      const file = parseCase(formatCase(derived.case));
      expect((await runCase(file, worker, { seed: 1 })).verdicts).toMatchObject([{ verdict: 'fail' }]);
      expect((await runCase(file, reference, { seed: 1 })).verdicts).toMatchObject([{ verdict: 'pass' }]);
    } finally {
      worker.discard();
    }
  }, 180_000);

  it('is saved as plain data that judges again, and told as steps', async () => {
    const mutant = modelMutants.find(({ kills }) => kills === KILLED);
    const check = modelChecks.find(({ invariant }) => invariant === KILLED);
    if (mutant === undefined || check === undefined) throw new Error(`nothing is about ${KILLED}`);
    const worker = new SubjectWorker(mutant.create());
    try {
      const { verdict, message, history = [] } = await runCheck({ check, invariant: invariantById(KILLED), target: 'fixture' }, worker, { seed: 5 });
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
});

import { describe, expect, it } from 'vitest';
import { invariantById } from '../../src/catalogue/index.ts';
import { modelChecks } from '../../src/checks/model/index.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { pullSubject } from './pull-subject.ts';

describe('a bridge that lists afresh at each look, with one server and names of its own', () => {
  it.each(modelChecks.map((check) => [check.id, check] as const))('passes %s', async (_id, check) => {
    const worker = new SubjectWorker(pullSubject);
    const result = await runCheck({ check, invariant: invariantById(check.invariant), target: 'fixture' }, worker, { seed: 3 });
    worker.discard();
    expect(result.verdict, result.message).toBe('pass');
  }, 120_000);
});

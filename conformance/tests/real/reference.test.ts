import { afterAll, describe, expect, it } from 'vitest';
import { invariantById } from '../../src/catalogue/index.ts';
import { realChecks } from '../../src/checks/real/index.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { createAdapter } from '../../subjects/reference/index.ts';

const worker = new SubjectWorker(createAdapter);
afterAll(() => worker.discard());

const runs = realChecks.flatMap((check) => (check.targets ?? []).map((target) => [check.id, target, check] as const));

describe('the reference on real servers', () => {
  it.each(runs)('%s passes on %s', async (_id, target, check) => {
    const result = await runCheck({ check, invariant: invariantById(check.invariant), target }, worker, { seed: 1 });
    expect(result.verdict, result.message).toBe('pass');
  });
});

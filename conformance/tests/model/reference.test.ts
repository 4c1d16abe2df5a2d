import { afterAll, describe, expect, it } from 'vitest';
import { invariantById } from '../../src/catalogue/index.ts';
import { modelChecks } from '../../src/checks/model/index.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { createAdapter } from '../../subjects/reference/index.ts';

const worker = new SubjectWorker(createAdapter);
afterAll(() => worker.discard());

/** A seed whose runs reach every label. */
const SEED = 20_260_101;

describe('the reference under the stateful model', () => {
  it.each(modelChecks.map((check) => [check.id, check] as const))('%s passes', async (_id, check) => {
    const result = await runCheck({ check, invariant: invariantById(check.invariant), target: 'fixture' }, worker, { seed: SEED });
    expect(result.verdict, `${result.message}\n${JSON.stringify(result.labels)}`).toBe('pass');
  });
});

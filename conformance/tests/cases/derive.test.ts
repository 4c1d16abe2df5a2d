import { formatCase, parseCase } from 'mcp-fixture-server';
import { plansOf, runCheck, SubjectWorker } from 'mcp-bridge-conformance';
import { afterAll, describe, expect, it } from 'vitest';
import { caseOfHistory } from '../../src/cases/derive/from-history.ts';
import { runCase } from '../../src/cases/run-case.ts';
import type { HistoryEvent } from '../../src/history/schema.ts';
import { createAdapter } from '../../subjects/reference/index.ts';
import { mutantById } from '../../subjects/mutants/index.ts';

const reference = new SubjectWorker(createAdapter);
afterAll(() => reference.end());

/** One defect an area, and the check that finds it. */
const PLANTED = [
  ['NAMING-008/first-server-wins', 'NAMING-008/two-servers'], ['DISCOVERY-007/numbers-the-second', 'DISCOVERY-007/listed-twice'],
  ['GENERATION-005/fails-in-silence', 'GENERATION-005/error'], ['WIRE-002/agrees-to-everything', 'WIRE-002/asked-in-a-call'],
  ['CALL-010/names-another-request', 'CALL-010/one-notice'], ['PROJECTION-029/stores-after-an-abort', 'PROJECTION-029/at-the-lookup'],
  ['CONNECTION-014/keeps-what-is-gone', 'CONNECTION-014/changed-list'], ['ENVIRONMENT-002/scrubs-what-is-configured', 'ENVIRONMENT-002/with-env'],
  ['CONFIG-001/does-not-say-which-member', 'CONFIG-001/bad-entries'], ['HOST-003/ignores-an-edit', 'HOST-003/edit'],
] as const;

describe('the case of a failure', () => {
  it.each(PLANTED)('fails again with %s, and holds with the reference', { timeout: 90_000 }, async (defect, check) => {
    const worker = new SubjectWorker(mutantById(defect).create());
    try {
      const [plan] = plansOf({ only: [check], targets: ['fixture'] });
      if (plan === undefined) throw new Error(`no check ${check}`);
      const failed = await runCheck(plan, worker, { seed: 1 });
      expect(failed.verdict).toBe('fail');
      const derived = caseOfHistory(failed.history ?? [], { check, invariant: failed.invariant });
      if ('reason' in derived) throw new Error(derived.reason);
      const file = parseCase(formatCase(derived.case));
      expect((await runCase(file, worker, { seed: 1 })).verdicts).toMatchObject([{ verdict: 'fail' }]);
      expect((await runCase(file, reference, { seed: 1 })).verdicts).toMatchObject([{ verdict: 'pass' }]);
    } finally {
      await worker.end();
    }
  });

  it('is refused where a case could not say what was done', () => {
    const from = { check: 'CALL-001/any', invariant: 'CALL-001' };
    const truth: HistoryEvent = { atMs: 0, kind: 'truth', server: 'real', tools: [] };
    expect(caseOfHistory([truth], from)).toEqual({ reason: expect.stringContaining('a real server') });
    expect(caseOfHistory([], from)).toEqual({ reason: 'no scripted server takes part' });
    const program: HistoryEvent = { atMs: 0, kind: 'program', server: 's', scenario: { scenario: 1 } };
    const vain: HistoryEvent = { atMs: 1, kind: 'barrier', what: 'something odd', reached: false, boundMs: 5 };
    expect(caseOfHistory([program, vain], from)).toEqual({ reason: expect.stringContaining('something odd') });
  });
});

import { loadCase, listCases } from 'mcp-fixture-server';
import { SubjectWorker } from 'mcp-bridge-conformance';
import { afterAll, describe, expect, it } from 'vitest';
import { runCase } from '../../src/cases/run-case.ts';
import { createAdapter } from '../../subjects/reference/index.ts';
import { mutantById } from '../../subjects/mutants/index.ts';

const cases = await listCases();
const reference = new SubjectWorker(createAdapter);
const TIMEOUT_MS = 60_000;

afterAll(() => reference.end());

describe('a case of the library, against the reference', () => {
  it.each(cases)('$name holds in every invariant it names', { timeout: TIMEOUT_MS }, async ({ name }) => {
    const { verdicts } = await runCase(await loadCase(name), reference, { seed: 1 });
    expect(verdicts.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  });
});

/** Defects that a report is about. */
const SHOWN = [
  ['R01', 'NAMING-001/never-cuts'], ['R05', 'NAMING-008/first-server-wins'], ['R11', 'DISCOVERY-010/skips-in-silence'],
  ['R12', 'CALL-014/voids-the-list-for-one-schema'], ['R14', 'DISCOVERY-008/sorts-keys'], ['R17', 'GENERATION-009/a-listing-for-each-notice'],
  ['R20', 'GENERATION-004/takes-a-failure-for-an-empty-list'], ['R39', 'CALL-010/names-another-request'], ['R59', 'CALL-006/ignores-the-flag'],
  ['R61', 'PROJECTION-003/shows-names-of-links-only'],
] as const;

describe('a case of the library, against a bridge with the defect of its report', () => {
  it.each(SHOWN)('%s fails with %s', { timeout: TIMEOUT_MS }, async (name, defect) => {
    const mutant = mutantById(defect);
    const worker = new SubjectWorker(mutant.create());
    try {
      const { verdicts } = await runCase(await loadCase(name), worker, { seed: 1 });
      expect(verdicts.find(({ invariant }) => invariant === mutant.kills)).toMatchObject({ verdict: 'fail' });
    } finally {
      await worker.end();
    }
  });
});

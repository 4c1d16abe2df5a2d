import { expect, it } from 'vitest';
import { equivalents } from '../../subjects/mutants/equivalents/index.ts';
import { runEquivalent } from '../../subjects/mutants/equivalents/run-equivalent.ts';
import { PROOF_LIMIT_MS, PROOF_RETRIES, PROOF_SEED } from './prove.ts';

it('there are equivalents of all three kinds', () => {
  expect(new Set(equivalents.map(({ kind }) => kind))).toEqual(new Set(['stage', 'adapter', 'wire']));
});

it.concurrent.each(equivalents.map((one) => [one.id, one] as const))('%s fails no check of its areas', { timeout: PROOF_LIMIT_MS, retry: PROOF_RETRIES }, async (_id, equivalent) => {
  const { offended, passed, uses } = await runEquivalent(equivalent, { seed: PROOF_SEED, byTurns: true });
  expect(offended).toEqual([]);
  expect(passed).toBeGreaterThan(0);
  expect(uses).toBeGreaterThan(0);
});

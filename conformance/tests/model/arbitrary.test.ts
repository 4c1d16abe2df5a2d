import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelChecks } from '../../src/checks/model/index.ts';
import { modelPlan } from '../../src/checks/model/plan.ts';
import { CAPABLE } from '../../src/checks/model/rules.ts';
import { onlyApplicable, walk } from '../../src/checks/model/walk.ts';

/** Enough seeds for a label that one run in ten thousand misses to show in the sum, not by luck. */
const SEEDS = 300;
/** The least share of plans that meet a required label: with it fewer than one run in a million misses its minimum. */
const LEAST_SHARE = 0.5;

const properties = modelChecks.flatMap((check) => (check.kind === 'property' ? [[check.id, check] as const] : []));

describe('plans of the model', () => {
  it.each(properties)('of %s meet every required label, whatever the seed', (_id, check) => {
    const met = new Map<string, number>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const counts = new Map<string, number>();
      for (const plan of fc.sample(check.arbitrary, { seed: seed * 7919, numRuns: check.runs })) {
        for (const label of check.labels(plan)) counts.set(label, (counts.get(label) ?? 0) + 1);
      }
      for (const [label, least] of Object.entries(check.minimums)) {
        const count = counts.get(label) ?? 0;
        expect(count, `${label} with seed ${seed * 7919}`).toBeGreaterThanOrEqual(least);
        met.set(label, (met.get(label) ?? 0) + count);
      }
    }
    for (const label of Object.keys(check.minimums)) {
      expect((met.get(label) ?? 0) / (SEEDS * check.runs), label).toBeGreaterThan(LEAST_SHARE);
    }
  });

  it.each(properties)('of %s are plain data whose every step applies', (_id, check) => {
    for (const input of fc.sample(check.arbitrary, { seed: 7, numRuns: 100 })) {
      const plan = modelPlan.parse(input);
      expect(modelPlan.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
      expect(onlyApplicable(plan)).toEqual(plan);
    }
  });

  it('leave nothing open at their end', () => {
    for (const plan of fc.sample(properties[2]?.[1].arbitrary ?? fc.constant(undefined), { seed: 3, numRuns: 100 })) {
      const last = walk(modelPlan.parse(plan), CAPABLE).at(-1);
      for (const { after } of last?.parts ?? []) expect(after).toMatchObject({ listing: undefined, underWay: [] });
    }
  });

  it('shrink to little: hardly more than what holds a listing over a change', () => {
    const overlapped = 'change announced while a listing is held';
    const check = properties.find(([id]) => id === 'GENERATION-051/model')?.[1];
    if (check === undefined) throw new Error('the check is gone');
    const details = fc.check(fc.property(check.arbitrary, (plan) => !check.labels(plan).includes(overlapped)), { seed: 11, numRuns: 100 });
    const { steps } = modelPlan.parse(details.counterexample?.[0]);
    const names = steps.map((step) => step.do);
    expect(names).toEqual(expect.arrayContaining(['hold', 'change', 'notify']));
    expect(names.length).toBeLessThanOrEqual(5);
  });
});

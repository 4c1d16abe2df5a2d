import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plans, type PlanKind } from '../../src/checks/model/arbitrary.ts';
import { serverOf, type ModelPlan, type ModelStep } from '../../src/checks/model/plan.ts';
import { smallerThan } from '../../src/checks/model/shrinking.ts';
import { onlyApplicable } from '../../src/checks/model/walk.ts';

const CHANGE: Extract<ModelStep, { do: 'change' }> = { do: 'change', edit: 'alter', pick: 3 };
const ANNOUNCE: ModelStep = { do: 'notify', times: 3 };
const HOLD: Extract<ModelStep, { do: 'hold' }> = { do: 'hold', page: 'last', ends: 'error' };
const there = (step: Exclude<ModelStep, { do: 'dispose' | 'open' }>): ModelStep => ({ ...step, on: 1 });

const plan = (steps: readonly ModelStep[]): ModelPlan => ({ base: 1_000, size: 4, pageSize: 2, steps: [...steps] });
const deeds = ({ steps }: ModelPlan): string => steps.map((step) => `${step.do}${serverOf(step)}`).join(' ');
const tries = (steps: readonly ModelStep[]): string[] => [...smallerThan(plan(steps))].map((smaller) => deeds(smaller.plan));

const kind: PlanKind = {
  weights: [['overlapped', 3], ['out-of-order', 1], ['renamed', 1]], meetings: [['changed-beside-a-listing', 1], ['disposed', 1]], longest: 6, meeting: 2, pages: 'several',
};

/** Shrinks the first plan of a seed that fails, and counts how many were tried on the way. */
function shrunk(seed: number, fails: (plan: ModelPlan) => boolean): { readonly plan: ModelPlan; readonly tried: ModelPlan[]; readonly path: string } {
  const tried: ModelPlan[] = [];
  const details = fc.check(fc.property(plans(kind), (one) => {
    tried.push(one);
    return !fails(one);
  }), { seed, numRuns: 100 });
  const [found] = details.counterexample ?? [];
  if (found === undefined || details.counterexamplePath === null) throw new Error('nothing failed');
  return { plan: found, path: details.counterexamplePath, tried: tried.slice(tried.findIndex((one) => fails(one))) };
}

/** A change that is announced while the listing of its server is held. */
function isOverlapped({ steps }: ModelPlan): boolean {
  return ([0, 1] as const).some((server) => {
    const own = steps.filter((step) => serverOf(step) === server).map((step) => step.do);
    const from = own.indexOf('hold');
    const change = own.indexOf('change', from);
    return from !== -1 && change !== -1 && own.indexOf('notify', change) !== -1;
  });
}

describe('a plan that fails', () => {
  it('loses a whole server first, then halves, then single steps', () => {
    expect(tries([CHANGE, there(HOLD), ANNOUNCE, there(CHANGE)]).slice(0, 8)).toEqual([
      'change0 notify0', 'hold0 change0', 'change0 hold1', 'change1',
      'change0 hold1 notify0', 'change0 hold1 change1', 'change0 notify0 change1', 'hold1 change1',
    ]);
  });

  it('is tried without announcements of nothing new, and keeps them only where it does not fail without', () => {
    const steps = [ANNOUNCE, CHANGE, ANNOUNCE];
    expect(tries(steps).slice(0, 4)).toEqual(['change0 notify0', 'notify0', 'change0 notify0', 'notify0 change0']);
    const [tidied] = [...smallerThan(plan(steps))];
    expect([...smallerThan(plan(steps.slice(1)), tidied?.next)].map((smaller) => deeds(smaller.plan)).slice(0, 2)).toEqual(['change0', '']);
  });

  it('is said more simply once every step is needed, and its lists become shorter last', () => {
    const simpler = [...smallerThan(plan([HOLD]))].map((smaller) => smaller.plan);
    expect(simpler.map(({ size, steps }) => [size, steps])).toEqual([
      [4, []], [4, [{ ...HOLD, page: 'first' }]], [4, [{ ...HOLD, ends: 'answer' }]], [2, [HOLD]], [3, [HOLD]],
    ]);
  });

  it('is gone on with where it failed, and ends', () => {
    let smallest = plan([CHANGE, ANNOUNCE, HOLD, CHANGE, ANNOUNCE]);
    let next = smallerThan(smallest).next();
    let count = 0;
    // Whatever is tried fails.
    while (next.done !== true) {
      smallest = next.value.plan;
      next = smallerThan(smallest, next.value.next).next();
      count += 1;
    }
    expect(smallest).toMatchObject({ steps: [], size: 2 });
    expect(count).toBeLessThanOrEqual(5);
  });

  it('comes down to the steps that matter within some thirty tries, a third of which fail', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { plan: smallest, tried } = shrunk(seed, isOverlapped);
      expect(deeds(smallest)).toBe('hold0 change0 notify0');
      expect(tried.length).toBeLessThanOrEqual(40);
      expect(tried.filter(isOverlapped).length).toBeLessThanOrEqual(14);
    }
  });

  it('is found again by its path, and no two tries list the same tools', () => {
    const { plan: smallest, tried, path } = shrunk(7, isOverlapped);
    expect(new Set(tried.map(({ base }) => base)).size).toBe(tried.length);
    const [again] = fc.sample(plans(kind), { seed: 7, path, numRuns: 1 });
    expect(again).toEqual(smallest);
  });

  it('keeps only steps that can come', () => {
    for (const drawn of fc.sample(plans(kind), { seed: 3, numRuns: 30 })) {
      for (const { plan: smaller } of smallerThan(drawn)) expect(onlyApplicable(smaller)).toEqual(smaller);
    }
  });
});

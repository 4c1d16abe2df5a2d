import * as fc from 'fast-check';
import { caseFile } from 'mcp-fixture-server/case';
import { describe, expect, it } from 'vitest';
import { caseOf } from '../../src/checks/model/as-case.ts';
import { modelChecks } from '../../src/checks/model/index.ts';
import { modelPlan, type ModelPlan } from '../../src/checks/model/plan.ts';

const plan: ModelPlan = {
  base: 1000, size: 3, pageSize: 2,
  steps: [
    { do: 'hold', page: 'first', ends: 'answer' }, { do: 'change', edit: 'remove', pick: 0 }, { do: 'notify', times: 1 }, { do: 'release' },
    { do: 'start', pick: 0 }, { do: 'crash' }, { do: 'reload' },
  ],
};

describe('a plan as a case', () => {
  it('says each step in the words of the case language', () => {
    const keys = caseOf(plan, ['GENERATION-051']).steps.map((step) => Object.keys(step)[0]);
    expect(keys).toEqual([
      'open', 'call', 'advance', 'await', 'advance', 'advance', 'advance', 'await', 'call', 'await', 'advance', 'await', 'reload', 'advance', 'advance', 'await', 'call', 'close',
    ]);
  });

  it('holds the listing that follows the first one, as a snapshot of all its pages', () => {
    const rules = caseOf(plan, ['GENERATION-051']).servers['model']?.scenario.rules ?? [];
    const listings = rules.filter(({ when }) => when.method === 'tools/list');
    expect(listings.map(({ when }) => when.nth)).toEqual([3, 4]);
    expect(listings.map(({ do: actions }) => actions.map((action) => Object.keys(action)[0]))).toEqual([['hold', 'reply'], ['reply']]);
  });

  it('names the server that each step is about, and ends both at once', () => {
    const two = caseOf({
      ...plan, pageSize: 6,
      steps: [{ do: 'start', pick: 0 }, { do: 'hold', on: 1, page: 'first', ends: 'answer' }, { do: 'remove' }, { do: 'dispose' }, { do: 'open' }],
    }, ['ISOLATION-050']);
    expect(Object.keys(two.servers)).toEqual(['model', 'other']);
    expect(two.steps.map((step) => JSON.stringify(step))).toEqual([
      '{"open":true}', '{"call":{"server":"model","tool":"alpha"}}', '{"call":{"server":"other","tool":"alpha"}}',
      '{"call":{"id":"call-of-step-2","server":"model","tool":"alpha","arguments":{"hold":"call-of-step-2"}}}', '{"await":{"server":"model","held":"call-of-step-2"}}',
      expect.stringContaining('{"advance":{"server":"other","do":[{"notify"'), '{"await":{"server":"other","held":"listing-of-step-3"}}',
      '{"remove":"model"}', '{"close":true}', '{"open":true}',
      '{"await":{"server":"model","rawTools":["alpha","Alpha","admin.reset"]}}', '{"await":{"server":"other","rawTools":["alpha","Alpha","admin.reset"]}}',
      '{"call":{"server":"model","tool":"alpha"}}', '{"call":{"server":"other","tool":"alpha"}}', '{"close":true}',
    ]);
  });

  it('tells the next process what was changed while there was none', () => {
    const { steps } = caseOf({ ...plan, steps: [{ do: 'dispose' }, { do: 'change', edit: 'remove', pick: 0 }, { do: 'open' }] }, ['ISOLATION-050']);
    expect(steps.slice(2).map((step) => JSON.stringify(step))).toEqual([
      '{"close":true}', '{"open":true}', expect.stringContaining('"setTools"'), expect.stringContaining('"notify"'),
      '{"await":{"server":"model","rawTools":["Alpha","admin.reset"]}}', '{"call":{"server":"model","tool":"Alpha"}}', '{"close":true}',
    ]);
  });

  it('is a case file, whatever the plan', () => {
    for (const check of modelChecks) {
      if (check.kind !== 'property') continue;
      for (const input of fc.sample(check.arbitrary, { seed: 5, numRuns: 50 })) {
        const written = caseOf(modelPlan.parse(input), [check.invariant]);
        expect(caseFile.safeParse(JSON.parse(JSON.stringify(written))).success).toBe(true);
      }
    }
  });
});

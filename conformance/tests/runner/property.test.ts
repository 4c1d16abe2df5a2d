import { describe, expect, it } from 'vitest';
import { fail, inconclusive, pass } from '../../src/checks/check.ts';
import { eventsOf } from '../../src/history/views.ts';
import type { History } from '../../src/history/schema.ts';
import { numbersCheck, planOf, run } from '../support/plans.ts';

/** The input of the run that a judge is given. */
function inputOf(history: History): number {
  return Number(eventsOf(history, 'run')[0]?.event.input);
}

describe('the verdict of a property', () => {
  it('is pass when every input passed and every label was hit often enough', async () => {
    const check = numbersCheck({ labels: (input) => [input % 2 === 0 ? 'even' : 'odd'], minimums: { even: 5, odd: 5 } });
    const result = await run(planOf(check));
    expect(result).toMatchObject({ verdict: 'pass', inputs: 50 });
    expect((result.labels?.['even'] ?? 0) + (result.labels?.['odd'] ?? 0)).toBe(50);
  });

  it('is inconclusive when a label was not hit often enough, and says which', async () => {
    const result = await run(planOf(numbersCheck({ labels: () => [], minimums: { 'very large': 3 } })));
    expect(result.verdict).toBe('inconclusive');
    expect(result.message).toContain('very large: 0 of at least 3');
  });

  it('is inconclusive when one input stays in doubt', async () => {
    const result = await run(planOf(numbersCheck({ judge: (history) => (inputOf(history) > 500 ? inconclusive('no witness') : pass('')) })));
    expect(result).toMatchObject({ verdict: 'inconclusive', message: 'no witness' });
  });

  it('is not-applicable when the check applied to no input, and no pass for that', async () => {
    const check = numbersCheck({ labels: () => ['any'], minimums: { any: 5 }, judge: () => ({ verdict: 'not-applicable', message: 'one page only' }) });
    expect(await run(planOf(check))).toMatchObject({ verdict: 'not-applicable', message: 'one page only' });
  });

  it('counts labels of the inputs alone to which it applied', async () => {
    const check = numbersCheck({
      labels: (input) => [input % 2 === 0 ? 'even' : 'odd'], minimums: { even: 1 },
      judge: (history) => (inputOf(history) % 2 === 0 ? { verdict: 'not-applicable', message: 'even' } : pass('')),
    });
    expect(await run(planOf(check))).toMatchObject({ verdict: 'inconclusive' });
  });

  it('is fail with the smallest input, its seed and its path', async () => {
    const result = await run(planOf(numbersCheck({ judge: (history) => (inputOf(history) >= 137 ? fail('too large', [1]) : pass('')) })));
    expect(result).toMatchObject({ verdict: 'fail', counterexample: '137', seed: 7, message: 'too large' });
    expect(result.path).toMatch(/^\d+(:\d+)*$/);
    expect(inputOf(result.history ?? [])).toBe(137);
  });

  it('replays the same input from seed and path alone, and no other', async () => {
    const inputs: number[] = [];
    const check = numbersCheck({
      exercise: async (_bench, input) => void inputs.push(input),
      judge: (history) => (inputOf(history) >= 137 ? fail('too large') : pass('')),
    });
    const failed = await run(planOf(check));
    inputs.length = 0;
    const again = await run(planOf(check), {}, { path: failed.path ?? '' });
    expect(again).toMatchObject({ verdict: 'fail', counterexample: '137' });
    expect(inputs).toEqual([137]);
  });

  it('is inconclusive when a failure does not recur from a fresh start', async () => {
    let seen = 0;
    const check = numbersCheck({ judge: () => ((seen += 1) === 20 ? fail('once') : pass('')) });
    const result = await run(planOf(check));
    expect(result).toMatchObject({ verdict: 'inconclusive', inputs: 50 });
    expect(result.message).toContain('did not recur');
  });

  it('judges each input by what was prepared and by its own events only', async () => {
    const lengths = new Set<number>();
    const check = numbersCheck({
      prepare: async (bench) => void (await bench.look()),
      exercise: async (bench) => void (await bench.look()),
      judge: (history) => {
        lengths.add(history.length);
        return pass('');
      },
    });
    await run(planOf(check));
    // The subject, the look of the preparation, the run, and the look of the input.
    expect([...lengths]).toEqual([4]);
  });

  it('lets the input end that its time limit interrupts before anything else is done with the adapter', async () => {
    const events: string[] = [];
    const adapter: Parameters<typeof run>[1] = {
      open: async () => {
        events.push('open begins');
        // A slow subject: far longer than the limit, so that the limit passes in the middle.
        await new Promise((resolve) => setTimeout(resolve, 100));
        events.push('open ends');
        return { servers: [] };
      },
      close: async () => void events.push('closed'),
    };
    const check = numbersCheck({ exercise: async (bench) => void (await bench.open([])) });
    const result = await run(planOf(check), adapter, { propertyLimitMs: 5, shrinkLimitMs: 0 });
    expect(result).toMatchObject({ verdict: 'inconclusive', inputs: 0 });
    expect(events).toEqual(['open begins', 'open ends', 'closed']);
  });

  it('gives up after three inputs in doubt, and makes the bench anew after an input that left it in an unknown state', async () => {
    let opened = 0;
    const check = numbersCheck({
      runs: 5, limitMs: 2_000,
      prepare: async (bench) => void (await bench.open([])),
      exercise: async () => { throw new Error('slipped'); },
    });
    const result = await run(planOf(check), { open: async () => { opened += 1; return { servers: [] }; } });
    expect(result.verdict).toBe('inconclusive');
    expect(opened).toBe(6);
  });
});

import { describe, expect, it } from 'vitest';
import { fail, inconclusive, pass, type Check, type PropertyCheck } from '../../src/checks/check.ts';
import { parseExact, stringifyExact } from '../../src/history/exact-json.ts';
import { savedRun, type SavedRun } from '../../src/history/saved-run.ts';
import type { History } from '../../src/history/schema.ts';
import { eventsOf } from '../../src/history/views.ts';
import { savedRunOf } from '../../src/reporters/save-run.ts';
import type { RunResult } from '../../src/runner/result.ts';
import { rejudge } from '../../src/runner/rejudge.ts';
import { never } from '../support/fake-adapter.ts';
import { numbersCheck, planOf, run, scriptedCheck } from '../support/plans.ts';

/** As it is read from its file. */
function saved(check: Check, result: RunResult): SavedRun {
  return savedRun.parse(parseExact(stringifyExact(savedRunOf(result, result.trials ?? [], check, { suite: '1', startedAt: 'then' }))));
}

const inputOf = (history: History): number => Number(eventsOf(history, 'run').at(-1)?.event.input);
const looks = (history: History): number => eventsOf(history, 'registry').length;

/** Runs a check, saves it and judges it again. */
async function both(check: Check): Promise<{ readonly result: RunResult; readonly again: ReturnType<typeof rejudge>['judgement'] }> {
  const result = await run(planOf(check));
  return { result, again: rejudge(check, saved(check, result)).judgement };
}

/** Judges that read the history alone; what an exercise did is in it. */
const scriptedCases: readonly (readonly [string, Check, string])[] = [
  ['a pass', scriptedCheck(), 'pass'],
  ['a failure that recurred', scriptedCheck({ judge: () => fail('seen') }), 'fail'],
  ['an exercise that its limit cut off, whatever its judge says', scriptedCheck({ limitMs: 20, exercise: () => never(), judge: () => fail('bad') }), 'inconclusive'],
  ['an exercise that threw', scriptedCheck({ exercise: async () => { throw new Error('slipped'); } }), 'inconclusive'],
  ['a judge that throws', scriptedCheck({ judge: () => { throw new Error('tripped'); } }), 'inconclusive'],
];

const over = (least: number): PropertyCheck['judge'] => (history) => (inputOf(history) >= least ? fail(`too large: ${inputOf(history)}`, [1]) : pass(''));

const propertyCases: readonly (readonly [string, Check, string])[] = [
  ['every input passed', numbersCheck({ labels: (input) => [input % 2 === 0 ? 'even' : 'odd'], minimums: { even: 5 } }), 'pass'],
  ['a label was missed', numbersCheck({ minimums: { 'very large': 3 } }), 'inconclusive'],
  ['an input stayed in doubt', numbersCheck({ judge: (history) => (inputOf(history) > 500 ? inconclusive('no witness') : pass('')) }), 'inconclusive'],
  ['an input failed and was shrunk', numbersCheck({ judge: over(137) }), 'fail'],
];

describe('a saved run, judged again', () => {
  it.each([...scriptedCases, ...propertyCases])('says the same: %s', async (_what, check, verdict) => {
    const { result, again } = await both(check);
    expect(result.verdict).toBe(verdict);
    expect(again).toMatchObject({ verdict, message: result.message });
  });

  it('says the same of a doubt that a second try cleared up, and of a failure that did not recur', async () => {
    let exercised = 0;
    const second = scriptedCheck({
      exercise: async (bench) => { exercised += 1; if (exercised === 2) await bench.look(); },
      judge: (history) => (looks(history) === 0 ? inconclusive('too early') : pass('seen')),
    });
    expect(await both(second)).toMatchObject({ result: { verdict: 'pass' }, again: { verdict: 'pass' } });
    exercised = 0;
    const once = scriptedCheck({
      exercise: async (bench) => { exercised += 1; if (exercised === 2) await bench.look(); },
      judge: (history) => (looks(history) === 0 ? fail('once') : pass('then not')),
    });
    const { result, again } = await both(once);
    expect(again).toMatchObject({ verdict: 'inconclusive', message: result.message });
  });

  it('is judged by the judge of today, which may find in it what the earlier one missed', async () => {
    const check = numbersCheck();
    const kept = saved(check, await run(planOf(check)));
    expect(rejudge({ ...check, judge: over(137) }, kept).judgement).toMatchObject({ verdict: 'fail', message: expect.stringMatching(/^too large: \d+$/) });
    expect(rejudge({ ...check, minimums: { small: 1 } }, kept).judgement.verdict).toBe('inconclusive');
  });

  it('passes when today nothing fails with any input, though one was shrunk', async () => {
    const check = numbersCheck({ runs: 20, judge: over(100) });
    const kept = saved(check, await run(planOf(check)));
    expect(rejudge({ ...check, judge: () => pass('') }, kept).judgement.verdict).toBe('inconclusive');
    expect(rejudge({ ...check, judge: () => pass('') }, { ...kept, asked: kept.trials.length - 1 }).judgement.verdict).toBe('pass');
  });

  it('reports the input that was found first when the shrunk one does not fail any more', async () => {
    const check = numbersCheck({ judge: over(100) });
    const kept = saved(check, await run(planOf(check)));
    const { judgement } = rejudge({ ...check, judge: (history) => (inputOf(history) > 100 ? fail(`above: ${inputOf(history)}`) : pass('')) }, kept);
    expect(judgement).toMatchObject({ verdict: 'fail', message: expect.stringMatching(/^above: \d{3,}$/) });
  });
});

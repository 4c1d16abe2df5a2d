import { describe, expect, it } from 'vitest';
import { AdapterError, type BridgeAdapter } from '../../src/adapter/bridge-adapter.ts';
import { fail, pass, type Judgement } from '../../src/checks/check.ts';
import type { History } from '../../src/history/schema.ts';
import { eventsOf } from '../../src/history/views.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import type { WorkerLimits } from '../../src/runner/worker-limits.ts';
import { fakeAdapter, fakeDescription, never } from '../support/fake-adapter.ts';
import { planOf, run, scriptedCheck } from '../support/plans.ts';

const SHORT: Partial<WorkerLimits> = { startMs: 60, answerMs: 60, endMs: 60, failedStarts: 3 };
const tool = { name: 'x', description: '', parameters: {} };

/** Fails over any silence. */
const judgeSilence = (history: History): Judgement =>
  (eventsOf(history, 'barrier').some(({ event }) => !event.reached) ? fail('silence') : pass('it settled'));

/** Calls after it opened nothing. */
const readsSilence = scriptedCheck({
  limitMs: 400,
  exercise: async (bench) => {
    await bench.open([]);
    await bench.call({ tool, boundMs: 20 });
  },
  judge: judgeSilence,
});

/** A worker over adapters made one after another, and how many were made. */
function workerOver(adapter: () => Partial<BridgeAdapter>): { readonly worker: SubjectWorker; readonly made: () => number } {
  let made = 0;
  const worker = new SubjectWorker(() => {
    made += 1;
    return fakeAdapter(adapter());
  }, SHORT);
  return { worker, made: () => made };
}

const seven = { seed: 7 };

describe('a request without an answer', () => {
  it('is the bridge\'s silence while the subject still says who it is', async () => {
    const { worker } = workerOver(() => ({ call: () => never() }));
    expect(await runCheck(planOf(readsSilence), worker, seven)).toMatchObject({ verdict: 'fail', message: 'silence' });
  });

  it('is no verdict when the subject does not even say who it is', async () => {
    let hangs = false;
    const { worker } = workerOver(() => ({
      describe: () => (hangs ? never() : Promise.resolve(fakeDescription)),
      call: () => {
        hangs = true;
        return never();
      },
    }));
    await expect(runCheck(planOf(readsSilence), worker, seven)).rejects.toMatchObject({ code: 'driver-hung', message: expect.stringMatching(/"describe" within 60 ms/) });
  });

  it('decides nothing when the subject gave no sign before', async () => {
    const check = scriptedCheck({
      exercise: async (bench) => void (await bench.call({ tool, boundMs: 20 })), judge: judgeSilence,
    });
    const result = await run(planOf(check), { call: () => never() });
    expect(result.verdict).toBe('inconclusive');
    expect(result.message).toMatch(/waited 20 ms in vain: call-1 settles; the judge says: silence/);
  });
});

describe('a subject that ended or hung', () => {
  it('is replaced, and costs its own run only', async () => {
    let first = true;
    const { worker, made } = workerOver(() => {
      const dies = first;
      first = false;
      return dies ? { call: () => Promise.reject(new AdapterError('driver-exited', 'it is gone')), describe: async () => fakeDescription } : {};
    });
    await expect(runCheck(planOf(readsSilence), worker, seven)).rejects.toMatchObject({ code: 'driver-exited' });
    expect(await runCheck(planOf(readsSilence), worker, seven)).toMatchObject({ verdict: 'pass' });
    expect(made()).toBe(2);
  });

  it('is given up when its successors do not come through a round without servers, and nothing more is started', async () => {
    let opened = 0;
    const { worker, made } = workerOver(() => ({ open: () => ((opened += 1) === 1 ? Promise.resolve({ servers: [] }) : never()), call: () => never() }));
    // The second try of the first run starts another one.
    await expect(runCheck(planOf(readsSilence), worker, seven)).rejects.toMatchObject({ code: 'driver-hung', message: expect.stringMatching(/"open" without servers/) });
    await expect(runCheck(planOf(readsSilence), worker, seven)).rejects.toMatchObject({ code: 'driver-hung' });
    await expect(runCheck(planOf(readsSilence), worker, seven)).rejects.toMatchObject({ code: 'given-up', message: expect.stringMatching(/^3 starts in a row failed, so the rest is not tried; the last: /) });
    await expect(runCheck(planOf(readsSilence), worker, seven)).rejects.toMatchObject({ code: 'given-up' });
    expect(made()).toBe(4);
  });

  it.each(['open', 'tools', 'state', 'close'] as const)('is told which method its successor did not answer, and what the first one did: %s', async (method) => {
    const { worker, made } = workerOver(() => (made() === 1 ? { call: () => never() } : { [method]: () => never() }));
    await expect(runCheck(planOf(readsSilence), worker, seven)).rejects.toMatchObject({
      code: 'driver-hung',
      message: expect.stringMatching(new RegExp(`^after one that left something unanswered \\(call-1 settles: not within 20 ms\\) a new one was started, and did not answer "${method}".* within 60 ms$`)),
    });
  });

  it.each([['gate', 6], ['call', 4]] as const)('is given up when "%s" went unanswered in %i exercises in a row, and no call was ever answered', async (method, most) => {
    const { worker } = workerOver(() => ({}));
    for (let exercise = 1; exercise < most; exercise += 1) worker.exercised(method, 0);
    // One without such a silence in between, and the count begins anew.
    expect(await runCheck(planOf(scriptedCheck({ exercise: async (bench) => void (await bench.look()) })), worker, seven)).toMatchObject({ verdict: 'pass' });
    for (let exercise = 0; exercise < most; exercise += 1) worker.exercised(method, 0);
    worker.discard();
    await expect(runCheck(planOf(readsSilence), worker, seven)).rejects.toMatchObject({ code: 'given-up', message: expect.stringMatching(new RegExp(`^"${method}" was not answered in ${most} exercises in a row`)) });
  });

  it('is not given up for calls that settle never while others do', async () => {
    const { worker } = workerOver(() => ({}));
    worker.exercised(undefined, 1);
    for (let exercise = 0; exercise < 10; exercise += 1) worker.exercised('call', 0);
    expect(await runCheck(planOf(readsSilence), worker, seven)).toMatchObject({ verdict: 'pass' });
  });

  it('may refuse to open nothing: an answer is an answer', async () => {
    const { worker, made } = workerOver(() => ({
      call: () => never(),
      open: async ({ servers }) => {
        if (servers.length === 0) throw new AdapterError('driver-error', 'nothing to open');
        return { servers: servers.map(({ name }) => ({ name, status: 'ready' as const })) };
      },
    }));
    const check = scriptedCheck({
      exercise: async (bench) => {
        await bench.open([bench.serve('a', { scenario: 1 })]);
        await bench.call({ tool, boundMs: 20 });
      },
      judge: judgeSilence,
    });
    expect(await runCheck(planOf(check), worker, seven)).toMatchObject({ verdict: 'fail' });
    expect(made()).toBe(2);
  });
});

it('an option that the subject does not honour makes a check not applicable where the check sets it, whether it asked or not', async () => {
  const check = scriptedCheck({ exercise: async (bench) => void (await bench.open([bench.serve('a', { scenario: 1 }, { options: { maxPages: 2 } })])) });
  expect(await run(planOf(check))).toMatchObject({ verdict: 'not-applicable', message: 'the subject does not honour the option maxPages' });
  const honours = { describe: async () => ({ ...fakeDescription, options: ['maxPages'] }) };
  expect(await run(planOf(check), honours)).toMatchObject({ verdict: 'pass' });
});

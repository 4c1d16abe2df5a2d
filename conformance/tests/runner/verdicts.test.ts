import { describe, expect, it } from 'vitest';
import { AdapterError, type BridgeAdapter, type OpenReply, type SubjectNotification } from '../../src/adapter/bridge-adapter.ts';
import { fail, inconclusive, pass } from '../../src/checks/check.ts';
import { eventsOf } from '../../src/history/views.ts';
import { fakeDescription, never } from '../support/fake-adapter.ts';
import { planOf, run, scriptedCheck } from '../support/plans.ts';

const tool = { name: 'x', description: '', parameters: {} };

describe('the verdict of a scripted check', () => {
  it('is pass when the judge says so, after one exercise', async () => {
    let exercised = 0;
    const result = await run(planOf(scriptedCheck({ exercise: async () => void (exercised += 1) })));
    expect(result).toMatchObject({ verdict: 'pass', message: 'all is well' });
    expect(exercised).toBe(1);
  });

  it('is fail only when the failure recurs', async () => {
    let exercised = 0;
    const check = scriptedCheck({ exercise: async () => void (exercised += 1), judge: () => fail('seen', [0]) });
    const result = await run(planOf(check));
    expect(result).toMatchObject({ verdict: 'fail', message: 'seen', evidence: [0] });
    expect(result.history?.length).toBeGreaterThan(0);
    expect(exercised).toBe(2);
  });

  it('is inconclusive with both histories when a failure does not recur', async () => {
    let judged = 0;
    const result = await run(planOf(scriptedCheck({ judge: () => ((judged += 1) === 1 ? fail('once') : pass('then not')) })));
    expect(result.verdict).toBe('inconclusive');
    expect(result.message).toMatch(/did not recur.*once.*then not/);
    expect(result.history).toBeDefined();
    expect(result.again).toBeDefined();
  });

  it('is a doubt that a quieter machine may decide only where something was waited for in vain or did not recur', async () => {
    expect(await run(planOf(scriptedCheck({ judge: () => inconclusive('no server declared it') })))).toMatchObject({ verdict: 'inconclusive', mayBeTime: false });
    const waits = scriptedCheck({ exercise: async (bench) => void (await bench.registry('nothing that comes', () => false)), judge: () => inconclusive('not in the history') });
    expect(await run(planOf(waits))).toMatchObject({ verdict: 'inconclusive', mayBeTime: true });
    let judged = 0;
    expect(await run(planOf(scriptedCheck({ judge: () => ((judged += 1) === 1 ? fail('once') : pass('then not')) })))).toMatchObject({ mayBeTime: true });
  });

  it('is pass when a doubt is cleared up by a second try, and inconclusive when a failure shows only there', async () => {
    let first = 0;
    const cleared = scriptedCheck({ judge: () => ((first += 1) === 1 ? inconclusive('too early') : pass('seen')) });
    expect((await run(planOf(cleared))).verdict).toBe('pass');
    let second = 0;
    const late = scriptedCheck({ judge: () => ((second += 1) === 1 ? inconclusive('too early') : fail('seen')) });
    expect((await run(planOf(late))).verdict).toBe('inconclusive');
  });

  it('is inconclusive when the exercise does not end within its limit, whatever the judge says', async () => {
    for (const judgement of [pass('fine'), fail('bad')]) {
      const result = await run(planOf(scriptedCheck({ limitMs: 30, exercise: () => never(), judge: () => judgement })));
      expect(result.verdict).toBe('inconclusive');
      expect(result.message).toContain('did not end within 30 ms');
    }
  });

  it('is inconclusive when the exercise throws, even if the judge would pass, and keeps the trouble in the history', async () => {
    const result = await run(planOf(scriptedCheck({ exercise: async () => { throw new Error('slipped'); } })));
    expect(result.verdict).toBe('inconclusive');
    expect(eventsOf(result.history ?? [], 'trouble')[0]?.event.message).toContain('slipped');
  });

  it('is inconclusive when the judge itself throws', async () => {
    const result = await run(planOf(scriptedCheck({ judge: () => { throw new Error('tripped'); } })));
    expect(result).toMatchObject({ verdict: 'inconclusive', message: 'the judge itself failed: tripped' });
  });

  it('lets the judge read the silence of a call that never settles', async () => {
    const check = scriptedCheck({
      exercise: async (bench) => {
        await bench.open([]);
        await bench.call({ tool, boundMs: 20 });
      },
      judge: (history) => {
        const silence = eventsOf(history, 'barrier').find(({ event }) => !event.reached);
        return silence === undefined ? pass('it settled') : fail(silence.event.what, [silence.index]);
      },
    });
    const result = await run(planOf(check), { call: () => never() });
    expect(result).toMatchObject({ verdict: 'fail', message: 'call-1 settles' });
  });
});

/** A subject that declares the level `seed` too. */
const describeSeed: BridgeAdapter['describe'] = async () => ({ ...fakeDescription, levels: ['core', 'seed'] });

describe('a check does not apply', () => {
  it.each([
    ['a feature that is not declared', planOf(scriptedCheck(), { features: ['reconnect'] }), 'reconnect'],
    ['a level that is not declared', planOf(scriptedCheck(), { level: 'seed' }), 'level seed'],
    ['a transport that is not declared', planOf(scriptedCheck(), { transports: ['streamable-http'] }), 'streamable-http'],
    ['a transport that the check needs, whatever its statement is about', planOf(scriptedCheck({ transports: ['streamable-http'] }), { transports: ['stdio'] }), 'streamable-http'],
    ['an option that is not honoured', planOf(scriptedCheck({ options: ['toolCallTimeoutMs'] })), 'toolCallTimeoutMs'],
    ['several servers for a subject that takes one', planOf(scriptedCheck({
      exercise: async (bench) => void (await bench.open([bench.serve('a', { scenario: 1 }), bench.serve('b', { scenario: 1 })])),
    })), 'one server'],
    ['a gate that the host does not have', planOf(scriptedCheck({ exercise: (bench) => bench.gate({ gate: 'store', action: 'hold' }) })), 'no store'],
  ])('for %s', async (_what, plan, reason) => {
    const result = await run(plan, {
      describe: async () => ({ ...fakeDescription, servers: 'one' }),
      gate: async () => { throw new AdapterError('unsupported', 'there is no store'); },
    });
    expect(result.verdict).toBe('not-applicable');
    expect(result.message).toContain(reason);
  });

  it('no more for the transport of its statement where it names its own', async () => {
    const web = { describe: async () => ({ ...fakeDescription, transports: ['streamable-http' as const] }) };
    expect((await run(planOf(scriptedCheck()), web)).verdict).toBe('not-applicable');
    expect((await run(planOf(scriptedCheck({ transports: ['streamable-http'] }), { transports: ['stdio'] }), web)).verdict).toBe('pass');
  });

  it('at a level that is declared but was not asked for', async () => {
    const plan = planOf(scriptedCheck(), { level: 'seed' });
    expect((await run(plan, { describe: describeSeed }, { levels: ['core'] })).verdict).toBe('not-applicable');
    expect((await run(plan, { describe: describeSeed })).verdict).toBe('pass');
  });

  it('never at level core, whatever levels are named', async () => {
    const plan = planOf(scriptedCheck(), { level: 'core' });
    expect((await run(plan, { describe: describeSeed }, { levels: ['seed'] })).verdict).toBe('pass');
  });
});

/** Values that no type allows and an adapter without types may give. */
const wrongReply: OpenReply = JSON.parse('{"servers":[{"name":"a","status":"fine"}]}');
const wrongNotification: SubjectNotification = JSON.parse('{"type":"rumour"}');
const tellsWrong: BridgeAdapter['onNotification'] = (listener) => {
  listener(wrongNotification);
  return () => undefined;
};

describe('an adapter that is wrong', () => {
  it('is no verdict: a reply that does not fit rejects with the place', async () => {
    const check = scriptedCheck({ exercise: async (bench) => void (await bench.open([])) });
    await expect(run(planOf(check), { open: async () => wrongReply })).rejects.toMatchObject({
      name: 'AdapterError', code: 'invalid-reply', message: expect.stringMatching(/"open".*servers\.0\.status/),
    });
  });

  it('is no verdict: a notification that does not fit makes the next method reject', async () => {
    const check = scriptedCheck({ exercise: async (bench) => void (await bench.look()) });
    await expect(run(planOf(check), { onNotification: tellsWrong })).rejects.toMatchObject({ code: 'invalid-reply' });
  });
});

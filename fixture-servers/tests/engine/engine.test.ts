import { describe, expect, it } from 'vitest';
import type { Effect, EngineEvent } from '../../src/engine/events.ts';
import { checkScenario } from '../../src/scenario/check.ts';
import type { Action, Rule } from '../../src/scenario/schema.ts';
import { harness, request, sentBy } from './harness.ts';

const call = (id: number, name = 'x'): Record<string, unknown> => request(id, 'tools/call', { name });
const tools = [{ name: 'x' }];
const say = (text: string): Action => ({ notify: { method: text } });
const rule = (when: Rule['when'], ...actions: Action[]): Rule => ({ when, do: actions });
const kinds = (effects: readonly Effect[]): string[] => effects.filter(({ type }) => type !== 'record').map(({ type }) => type);
const message = (value: unknown): EngineEvent => ({ type: 'message', parsed: { ok: true, value }, exchange: 0 });

/** What a call with the id 7 is answered under one rule. */
const answer = (...actions: Action[]): unknown[] => harness({ tools, rules: [rule({ method: 'tools/call' }, ...actions)] }).ask(call(7));

describe('rules', () => {
  it('take an event in order: the first that matches, alone', () => {
    const engine = harness({
      tools,
      rules: [rule({ method: 'tools/call', tool: 'x', params: { arguments: { a: 1 } } }, say('one')), rule({ method: 'tools/call' }, say('two'))],
    });
    expect(engine.ask(request(1, 'tools/call', { name: 'x', arguments: { a: 1, b: 2 } }))).toMatchObject([{ method: 'one' }]);
    expect(engine.ask(call(2))).toMatchObject([{ method: 'two' }]);
  });

  it('count every match of their trigger, also those that another rule took', () => {
    const engine = harness({
      tools,
      rules: [rule({ method: 'ping', nth: 1 }, say('first')), rule({ method: 'ping', nth: 2 }, say('second')), rule({ method: 'ping', nth: { from: 4 } }, say('late'))],
    });
    const answers = [1, 2, 3, 4, 5].map((id) => engine.ask(request(id, 'ping'))[0]);
    expect(answers).toMatchObject([{ method: 'first' }, { method: 'second' }, { result: {} }, { method: 'late' }, { method: 'late' }]);
  });

  it('apply to the incarnations they name', () => {
    const rules = [rule({ method: 'tools/call', incarnation: { to: 2 } }, say('young')), rule({ method: 'tools/call' }, say('old'))];
    const answerOf = (incarnation: number): unknown => {
      const engine = harness({ tools, rules }, incarnation);
      engine.ask(request(1, 'initialize'));
      return engine.ask(call(2))[0];
    };
    expect([1, 2, 3].map(answerOf)).toMatchObject([{ method: 'young' }, { method: 'young' }, { method: 'old' }]);
  });

  it('count a process from its spawn if the scenario says so', () => {
    const state = harness({ countFrom: 'spawn', rules: [rule({ method: 'ping', incarnation: 3 }, say('third'))] }, 3);
    expect(state.ask(request(1, 'ping'))).toMatchObject([{ method: 'third' }]);
  });

  it('hear spawn, signals, timers and the end of input', () => {
    const engine = harness({
      rules: [rule({ signal: 'go' }, say('signalled')), rule({ after: 50 }, say('later')), rule({ inputEnd: true }, say('bye'), { exit: 3 })],
    });
    expect(sentBy(engine.hear({ type: 'signal', name: 'go' }))).toMatchObject([{ method: 'signalled' }]);
    expect(sentBy(engine.hear({ type: 'timer', token: 1 }))).toMatchObject([{ method: 'later' }]);
    expect(engine.hear({ type: 'timer', token: 1 })).toEqual([]);
    expect(engine.hear({ type: 'input-end' }).at(-1)).toEqual({ type: 'exit', code: 3 });
  });

  it('are told in the trace, an entry an action', () => {
    const engine = harness({ rules: [{ id: 'r', when: { method: 'ping' }, do: [{ default: {} }, say('x')] }] });
    const records = engine.hear(message(request(1, 'ping'))).flatMap((effect) => (effect.type === 'record' ? [effect.record] : []));
    expect(records).toEqual([
      { kind: 'fault', rule: 'r', action: 'default', index: 0 },
      { kind: 'fault', rule: 'r', action: 'notify', index: 1 },
    ]);
  });
});

describe('lists of actions', () => {
  it('are suspended alone at a hold, and go on with the list as it then is', () => {
    const engine = harness({
      tools, toolLists: { other: [{ name: 'y' }] },
      rules: [rule({ method: 'tools/list', nth: 1 }, { hold: 'h' }, { default: {} })],
    });
    expect(engine.ask(request(1, 'tools/list'))).toEqual([]);
    expect(engine.ask(request(2, 'ping'))).toMatchObject([{ id: 2 }]);
    engine.hear({ type: 'do', actions: [{ setTools: { list: 'other' } }] });
    expect(sentBy(engine.hear({ type: 'release', hold: 'h' }))).toMatchObject([{ id: 1, result: { tools: [{ name: 'y' }] } }]);
    expect(engine.refused({ type: 'release', hold: 'h' })).toContain('nothing waits at the hold "h"');
  });

  it('go on in the order in which they came to a hold', () => {
    const engine = harness({ tools, rules: [rule({ method: 'tools/call' }, { hold: 'h' }, { default: {} })] });
    for (const id of [1, 2, 3]) engine.ask(call(id));
    expect(sentBy(engine.hear({ type: 'release', hold: 'h' }))).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('wait for their own timer', () => {
    const engine = harness({ tools, rules: [rule({ method: 'tools/call' }, { delay: 20 }, { default: {} })] });
    const [timer] = engine.hear(message(call(1))).filter((effect) => effect.type === 'timer');
    expect(timer).toMatchObject({ delayMs: 20 });
    expect(sentBy(engine.hear({ type: 'timer', token: timer?.type === 'timer' ? timer.token : 0 }))).toMatchObject([{ id: 1 }]);
  });

  it('end with exit or kill, after which nothing is heard', () => {
    for (const last of [{ exit: 9 }, { kill: 'SIGKILL' }] as const) {
      const engine = harness({ tools, rules: [rule({ method: 'tools/call' }, { default: {} }, last, say('never'))] });
      expect(kinds(engine.hear(message(call(1))))).toEqual(['send', Object.keys(last)[0]]);
      expect(engine.hear(message(request(2, 'ping')))).toEqual([]);
    }
  });

  it('may hang: then only the control channel is heard', () => {
    const engine = harness({ rules: [rule({ method: 'ping' }, { hang: true })] });
    expect(kinds(engine.hear(message(request(1, 'ping'))))).toEqual(['hang']);
    expect(engine.hear(message(request(2, 'ping')))).toEqual([]);
    expect(engine.hear({ type: 'input-end' })).toEqual([]);
    expect(kinds(engine.hear({ type: 'do', actions: [say('still here')] }))).toEqual(['send']);
    expect(engine.hear(message(request(3, 'ping')))).toEqual([]);
    expect(kinds(engine.hear({ type: 'do', actions: [{ exit: 0 }] }))).toEqual(['exit']);
  });

  it('may answer under another id, twice, not at all, or too large', () => {
    expect(answer({ reply: { result: 1, id: '7' } }, { default: {} }, { default: {} })).toMatchObject([{ id: '7', result: 1 }, { id: 7 }, { id: 7 }]);
    expect(answer({ drop: true })).toEqual([]);
    expect(JSON.stringify(answer({ oversize: { bytes: 5000 } })[0]).length).toBe(5000);
    const many = answer({ oversize: { bytes: 5000, of: 'blocks' } })[0];
    expect(JSON.stringify(many).length).toBeGreaterThan(4_996);
    expect(JSON.stringify(many).length).toBeLessThanOrEqual(5_000);
    expect(many).toMatchObject({ result: { content: { 1_500: {} } } });
  });

  it('end the process at the end of input unless they ignore it', () => {
    expect(kinds(harness({}).hear({ type: 'input-end' }))).toEqual(['finish']);
    expect(kinds(harness({ rules: [rule({ inputEnd: true }, say('bye'))] }).hear({ type: 'input-end' }))).toEqual(['send', 'finish']);
    expect(kinds(harness({ rules: [rule({ spawn: true }, { ignoreTerm: true })] }).hear({ type: 'input-end' }))).toEqual([]);
  });
});

describe('control', () => {
  it('reprograms rules and tools; what is held is still owed', () => {
    const engine = harness({ tools, rules: [rule({ method: 'tools/call' }, { hold: 'h' }, { default: {} })] });
    engine.ask(call(1));
    engine.hear({ type: 'program', scenario: checkScenario({ scenario: 1, tools: [{ name: 'z' }, { name: 'x' }] }), keepCounts: false });
    expect(engine.ask(call(2, 'z'))).toMatchObject([{ id: 2, result: {} }]);
    expect(sentBy(engine.hear({ type: 'release', hold: 'h' }))).toMatchObject([{ id: 1, result: {} }]);
  });

  it('keeps counts of matches when asked, and begins again otherwise', () => {
    const scenario = { rules: [rule({ method: 'ping', nth: 2 }, say('second'))] };
    const second = (keepCounts: boolean): unknown => {
      const engine = harness(scenario);
      engine.ask(request(1, 'ping'));
      engine.hear({ type: 'program', scenario: checkScenario({ scenario: 1, ...scenario }), keepCounts });
      return engine.ask(request(2, 'ping'))[0];
    };
    expect(second(true)).toMatchObject({ method: 'second' });
    expect(second(false)).toMatchObject({ result: {} });
  });

  it('refuses what cannot be done, and says why', () => {
    const engine = harness({ rules: [rule({ signal: 'known' }, say('x'))] });
    expect(engine.refused({ type: 'signal', name: 'other' })).toContain('known: "known"');
    expect(engine.refused({ type: 'do', actions: [{ default: {} }] })).toContain('answers a request');
    expect(engine.refused({ type: 'do', actions: [{ reply: { result: 1 } }] })).toContain('give an `id`');
    expect(engine.refused({ type: 'do', actions: [{ setTools: { list: 'none' } }] })).toContain('no tool list "none"');
  });
});

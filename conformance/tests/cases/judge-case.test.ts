import { parseCase } from 'mcp-fixture-server';
import type { CaseFile } from 'mcp-fixture-server/case';
import { describe, expect, it } from 'vitest';
import type { CallReply } from '../../src/adapter/messages.ts';
import { judgeCase } from '../../src/cases/judge-case.ts';
import { beginning } from '../../src/cases/step-marks.ts';
import type { HistoryEvent } from '../../src/history/schema.ts';

const file = (steps: string, judge = 'CALL-016'): CaseFile =>
  parseCase(`case: 1\nid: X\ntitle: t\narea: call\nservers: { a: { scenario: { scenario: 1 } } }\nsteps:\n${steps}\njudge: [${judge}]\n`);
let at = 0;
const barrier = (what: string, reached = true): HistoryEvent => ({ atMs: (at += 1), kind: 'barrier', what, reached, boundMs: 5 });
const call = (reply?: Partial<CallReply>): HistoryEvent[] => [
  { atMs: (at += 1), kind: 'call', request: { callId: 'c', name: 'n', arguments: {}, via: 'model' }, server: 'a', rawName: 't' },
  ...(reply === undefined ? [] : [{ atMs: (at += 1), kind: 'outcome' as const, callId: 'c', reply: { outcome: 'ok' as const, executed: 'yes' as const, view: [], ...reply } }]),
];
const text = (words: string): Partial<CallReply> => ({ view: [{ type: 'text', text: words }] });
const verdictOf = (steps: string, history: HistoryEvent[], judge?: string): string | undefined => judgeCase(file(steps, judge), history)[0]?.verdict;
const expected = '- call: { server: a, tool: t, expect: { outcome: ok, shows: [one, two] } }';

describe('judging a case', () => {
  it('never passes an invariant that nobody judged', () => {
    const [judged] = judgeCase(file('- open: true'), [barrier(beginning(0))]);
    expect(judged).toMatchObject({ verdict: 'inconclusive', message: expect.stringContaining('add an `expect`, or replay CALL-016/') });
  });

  it('holds a call to what the case expects', () => {
    const begun = barrier(beginning(0));
    expect(verdictOf(expected, [begun, ...call(text('one, two'))])).toBe('pass');
    expect(verdictOf(expected, [begun, ...call(text('two, one'))])).toBe('fail');
    expect(verdictOf(expected, [begun, ...call({ ...text('one, two'), outcome: 'failed' })])).toBe('fail');
    expect(verdictOf(expected, [begun, ...call()])).toBe('fail');
    expect(verdictOf(expected, [begun])).toBe('inconclusive');
  });

  it('is in doubt after a wait in vain, and where a step was not come to', () => {
    const steps = `${expected.replace(', shows: [one, two]', '')}\n- await: { server: a, fired: rule }`;
    const begun = [barrier(beginning(0)), ...call({}), barrier(beginning(1))];
    expect(verdictOf(steps, [...begun, barrier('await rule')])).toBe('pass');
    expect(verdictOf(steps, [...begun, barrier('await rule', false)])).toBe('inconclusive');
    expect(verdictOf(steps, begun.slice(0, 3))).toBe('inconclusive');
  });

  it('lets an expectation speak for the invariants it names alone', () => {
    const steps = '- call: { server: a, tool: t, expect: { outcome: failed, for: [CALL-020] } }';
    const judged = judgeCase(file(steps, 'CALL-016, CALL-020'), [barrier(beginning(0)), ...call({})]);
    expect(judged.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'fail']);
  });

  it('reads what the registry, the logs and the processes show', () => {
    const log: HistoryEvent = { atMs: (at += 1), kind: 'log', level: 'warn', message: 'a: the key k-1 is wrong' };
    expect(verdictOf('- expect: { server: a, told: [is wrong], levels: [warn] }', [log, barrier(beginning(0))])).toBe('pass');
    expect(verdictOf('- expect: { told: [is wrong], levels: [error] }', [log, barrier(beginning(0))])).toBe('fail');
    expect(verdictOf('- expect: { untold: [k-1] }', [log, barrier(beginning(0))])).toBe('fail');
    expect(verdictOf('- expect: { server: a, tools: [] }', [barrier(beginning(0))])).toBe('inconclusive');
    expect(verdictOf('- expect: { server: a, started: { to: 1 } }', [barrier(beginning(0))])).toBe('pass');
    expect(verdictOf('- expect: { server: a, environment: { K: v } }', [barrier(beginning(0))])).toBe('inconclusive');
  });
});

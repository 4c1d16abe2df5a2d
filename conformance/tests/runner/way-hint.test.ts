import { expect, it } from 'vitest';
import { inconclusive, pass } from '../../src/checks/check.ts';
import type { History } from '../../src/history/schema.ts';
import { judgeAttempt } from '../../src/runner/weigh.ts';
import { fakeDescription } from '../support/fake-adapter.ts';
import { scriptedCheck } from '../support/plans.ts';

const scripted = { atMs: 1, kind: 'program', server: 's', scenario: { scenario: 1 } } as const;
const settled = (status: 'ready' | 'degraded'): History[number] => ({ atMs: 2, kind: 'settled', step: 'open', servers: [{ name: 's', status }] });
const heard = {
  atMs: 1.5, kind: 'wire',
  record: {
    trace: 1, seq: 0, atMs: 1.5, server: 's', carrier: 'stdio', pid: 7, incarnation: 1, kind: 'frame', direction: 'client-to-server', bytes: 2, raw: '{}', message: {},
  },
} as const;
const doubts = scriptedCheck({ exercise: async () => undefined, judge: () => inconclusive('nothing was seen') });
const passes = scriptedCheck({ exercise: async () => undefined, judge: () => pass('well') });

it('a doubt about a subject that called a server ready which never heard of it names the adapter', () => {
  const { verdict, message } = judgeAttempt(doubts, [scripted, settled('ready')], {});
  expect(verdict).toBe('inconclusive');
  expect(message).toMatch(/^nothing was seen; "s" was answered to be ready, and never received a message: look whether the adapter or driver starts what "open"/);
});

it('a doubt about a subject that declares to list at each look, and did not, says what it declares', () => {
  const asks: History[number] = { ...heard, record: { ...heard.record, message: { jsonrpc: '2.0', id: 1, method: 'tools/list' } } };
  const later: History = [{ ...scripted, atMs: 3 }, { atMs: 4, kind: 'registry', cause: 'looked', revision: 0, tools: [] }];
  const pulls: History[number] = { atMs: 0, kind: 'subject', description: { ...fakeDescription, registry: 'pull' } };
  const begin = [scripted, asks, settled('ready')];
  expect(judgeAttempt(doubts, [pulls, ...begin, ...later], {}).message).toBe('nothing was seen; the subject declares registry: pull, did not list when looked at: who answers "tools" from a list that it keeps declares push');
  const quiet = { verdict: 'inconclusive', message: 'nothing was seen' };
  expect(judgeAttempt(doubts, [pulls, ...begin, ...later, asks], {})).toMatchObject(quiet);
  expect(judgeAttempt(doubts, [pulls, ...begin], {})).toMatchObject(quiet);
  expect(judgeAttempt(doubts, [{ ...pulls, description: fakeDescription }, ...begin, ...later], {})).toMatchObject(quiet);
});

it('says so of nothing else: not when the server heard something, was not called ready, or is none of ours, and of no pass', () => {
  const quiet = { verdict: 'inconclusive', message: 'nothing was seen' };
  expect(judgeAttempt(doubts, [scripted, heard, settled('ready')], {})).toMatchObject(quiet);
  expect(judgeAttempt(doubts, [scripted, settled('degraded')], {})).toMatchObject(quiet);
  expect(judgeAttempt(doubts, [settled('ready')], {})).toMatchObject(quiet);
  expect(judgeAttempt(passes, [scripted, settled('ready')], {})).toMatchObject({ verdict: 'pass', message: 'well' });
});

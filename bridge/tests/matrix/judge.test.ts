import { describe, expect, it } from 'vitest';
import type { ServerState } from '../../src/internal.ts';
import type { CallRecord, CellRecord } from './cell-record.ts';
import { broken, executedAgain } from './judge.ts';

const READY: ServerState = { serverName: 'cell', state: 'ready', attempt: 0, nextDelayMs: undefined, toolCount: 1, lastError: undefined };
const LOST: ServerState = { ...READY, state: 'reconnecting', attempt: 1, lastError: 'the process exited with code 3' };
const answered: CallRecord = { token: 't1', to: 'faulty', tookMs: 1, boundMs: 10, end: { ok: true, text: '"t1"' } };
const beside: CallRecord = { ...answered, token: 't2', to: 'beside', end: { ok: true, text: '"t2"' } };
const failed: CallRecord = { ...answered, end: { ok: false, message: 'lost', executed: 'unknown' } };

const good: CellRecord = {
  id: 'cell', carrier: 'stdio', fired: true, calls: [answered, beside], onWire: new Map([['t1', 1]]),
  during: { before: ['a'], listed: ['a'], tools: ['a'], state: READY },
  afterwards: { listed: ['a', 'b'], tools: ['a', 'b'], state: READY },
  lastCall: answered,
  remains: { view: { tools: [], state: undefined }, processes: [], sockets: 0, sessionDeleted: undefined, tookMs: 1 },
  requests: 10, log: [],
};
const during = { before: ['a'], listed: ['a', 'b'], tools: ['a'], state: READY };
const { remains } = good;

describe('the judge of a cell', () => {
  it.each<[string, Partial<CellRecord>]>([
    ['all is well', {}],
    ['an old list is kept, and the reason told', { during: { ...during, state: { ...READY, lastError: 'page 2 failed' } } }],
    ['nothing is there, and the reason is told', { during: { ...during, tools: [], state: LOST } }],
    ['a call fails that never got out', { calls: [failed], onWire: new Map() }],
    ['a call fails that reached the server', { calls: [failed] }],
    ['a server refuses a call over HTTP', { carrier: 'streamable-http', calls: [{ ...failed, end: { ok: false, message: '404', executed: 'no' } }] }],
  ])('passes a record in which %s', (_what, change) => {
    expect(broken({ ...good, ...change })).toEqual([]);
  });

  it.each<[string, Partial<CellRecord>, RegExp]>([
    ['a fault that did not fire', { fired: false }, /did not fire/],
    ['a call that hangs', { calls: [{ ...answered, end: undefined }] }, /did not settle within 10 ms/],
    ['a call that was sent twice', { onWire: new Map([['t1', 2]]) }, /sent 2 times/],
    ['an answer to nobody', { onWire: new Map() }, /not its own/],
    ['the answer to another call', { calls: [{ ...answered, end: { ok: true, text: '"t9"' } }] }, /not its own/],
    ['a call that ran, and is said not to have', { calls: [{ ...failed, end: { ok: false, message: 'lost', executed: 'no' } }] }, /said not to have run/],
    ['a failure without a reason', { calls: [{ ...failed, end: { ok: false, message: '', executed: 'unknown' } }] }, /without a word/],
    ['part of a list', { during: { ...during, listed: ['a', 'b', 'c'], tools: ['a', 'b'], state: LOST } }, /part of a list/],
    ['an old list without a reason', { during }, /nothing says why/],
    ['an outage without a reason', { during: { ...during, tools: ['a', 'b'], state: { ...LOST, lastError: undefined } } }, /nothing says why/],
    ['a registry that stays behind', { afterwards: { listed: ['a'], tools: [], state: READY } }, /the registry is not/],
    ['a server that is never ready again', { afterwards: { listed: ['a'], tools: ['a'], state: LOST } }, /the registry is not/],
    ['a recovery without a working call', { lastCall: failed }, /a call to it fails: lost/],
    ['a disposal without end', { remains: { ...remains, tookMs: undefined } }, /longer than its bound/],
    ['a tool left', { remains: { ...remains, view: { tools: ['a'], state: undefined } } }, /tools are left/],
    ['a state left', { remains: { ...remains, view: { tools: [], state: READY } } }, /state is left/],
    ['a process left', { remains: { ...remains, processes: ['7 node'] } }, /a process is left after disposal: 7 node/],
    ['a connection left', { remains: { ...remains, sockets: 1 } }, /1 connections are left/],
    ['a session left', { remains: { ...remains, sessionDeleted: false } }, /not deleted/],
    ['a neighbour that suffers', { calls: [{ ...beside, end: { ok: false, message: 'late', executed: 'unknown' } }] }, /beside it was not answered: late/],
    ['a storm of requests', { requests: 5_000 }, /5000 messages/],
  ])('finds %s', (_what, change, expected) => {
    expect(broken({ ...good, ...change })).toEqual([expect.stringMatching(expected)]);
  });

  it('counts the calls that were executed again', () => {
    expect(executedAgain({ ...good, onWire: new Map([['t1', 2], ['t2', 3], ['t3', 1]]) })).toBe(2);
  });
});

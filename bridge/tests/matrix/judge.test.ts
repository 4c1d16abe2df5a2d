import { describe, expect, it } from 'vitest';
import type { ServerState } from '../../src/internal.ts';
import type { CallRecord, CellRecord, Step } from './cell-record.ts';
import { broken, executedAgain } from './judge.ts';

const READY: ServerState = { serverName: 'cell', state: 'ready', attempt: 0, nextDelayMs: undefined, toolCount: 1, lastError: undefined };
const LOST: ServerState = { ...READY, state: 'reconnecting', attempt: 1, lastError: 'the process exited with code 3' };
const answered: CallRecord = { token: 't1', to: 'faulty', tookMs: 1, boundMs: 10, end: { ok: true, text: '"t1"' } };
const beside: CallRecord = { ...answered, token: 't2', to: 'beside', end: { ok: true, text: '"t2"' } };
const lost = { ok: false, message: 'lost', code: 'connection-lost', executed: 'unknown' } as const;
const failed: CallRecord = { ...answered, end: lost };

const step: Step = {
  before: ['a'], listed: ['a'], during: { tools: ['a'], state: READY }, cutOff: undefined,
  healed: ['a', 'b'], afterwards: { tools: ['a', 'b'], state: READY }, lastCall: answered,
};
const changed: Step = { ...step, listed: ['a', 'b'] };
/** A record with this step after a good one. */
const steps = (second: Step): Partial<CellRecord> => ({ steps: [step, second] });

const good: CellRecord = {
  id: 'cell', carrier: 'stdio', faults: 1, fired: 1, calls: [answered, beside], onWire: new Map([['t1', 1]]), steps: [step],
  remains: { view: { tools: [], state: undefined }, processes: [], sockets: 0, sessionDeleted: undefined, tookMs: 1 },
  requests: 10, log: [],
};
const { remains } = good;

describe('the judge of a cell', () => {
  it.each<[string, Partial<CellRecord>]>([
    ['all is well', {}],
    ['an old list is kept, and the reason told', steps({ ...changed, during: { tools: ['a'], state: { ...READY, lastError: 'page 2 failed' } } })],
    ['nothing is there, and the reason is told', steps({ ...changed, during: { tools: [], state: LOST } })],
    ['a call fails that never got out', { calls: [failed], onWire: new Map() }],
    ['a call fails that reached the server', { calls: [failed] }],
    ['a server refuses a call over HTTP', { carrier: 'streamable-http', calls: [{ ...failed, end: { ...lost, executed: 'no' } }] }],
    ['a call is cut off and fails at once', steps({ ...step, cutOff: failed })],
  ])('passes a record in which %s', (_what, change) => {
    expect(broken({ ...good, ...change })).toEqual([]);
  });

  it.each<[string, Partial<CellRecord>, RegExp]>([
    ['a fault that did not fire', { fired: 0 }, /1 of 1 faults did not fire/],
    ['a call that hangs', { calls: [{ ...answered, end: undefined }] }, /did not settle within 10 ms/],
    ['a call that was sent twice', { onWire: new Map([['t1', 2]]) }, /sent 2 times/],
    ['an answer to nobody', { onWire: new Map() }, /not its own/],
    ['the answer to another call', { calls: [{ ...answered, end: { ok: true, text: '"t9"' } }] }, /not its own/],
    ['a call that ran, and is said not to have', { calls: [{ ...failed, end: { ...lost, executed: 'no' } }] }, /said not to have run/],
    ['a failure without a reason', { calls: [{ ...failed, end: { ...lost, message: '' } }] }, /without a word/],
    ['part of a list', steps({ ...step, listed: ['a', 'b', 'c'], during: { tools: ['a', 'b'], state: LOST } }), /part of a list/],
    ['an old list without a reason', steps(changed), /nothing says why/],
    ['an outage without a reason', steps({ ...step, during: { tools: ['a'], state: { ...LOST, lastError: undefined } } }), /nothing says why/],
    ['a registry that stays behind', steps({ ...step, afterwards: { tools: ['a'], state: READY } }), /the registry is not/],
    ['a server that is never ready again', steps({ ...step, afterwards: { tools: ['a', 'b'], state: LOST } }), /the registry is not/],
    ['a recovery without a working call', steps({ ...step, lastCall: failed }), /a call to it fails: lost/],
    ['a disposal without end', { remains: { ...remains, tookMs: undefined } }, /longer than its bound/],
    ['a tool left', { remains: { ...remains, view: { tools: ['a'], state: undefined } } }, /tools are left/],
    ['a state left', { remains: { ...remains, view: { tools: [], state: READY } } }, /state is left/],
    ['a process left', { remains: { ...remains, processes: ['7 node'] } }, /a process is left after disposal: 7 node/],
    ['a connection left', { remains: { ...remains, sockets: 1 } }, /1 connections are left/],
    ['a session left', { remains: { ...remains, sessionDeleted: false } }, /not deleted/],
    ['a neighbour that suffers', { calls: [{ ...beside, end: lost }] }, /beside it was not answered: lost/],
    ['a call that waits for a timeout after it was cut off', steps({ ...step, cutOff: { ...failed, end: { ...lost, code: 'call-timeout' } } }), /waited 1 ms for its timeout/],
    ['an answer to a call that was cut off', steps({ ...step, cutOff: answered }), /was cut off, and has an answer/],
    ['a storm of requests', { requests: 5_000 }, /5000 messages/],
  ])('finds %s', (_what, change, expected) => {
    expect(broken({ ...good, ...change })).toEqual([expect.stringMatching(expected)]);
  });

  it('counts the calls that were executed again', () => {
    expect(executedAgain({ ...good, onWire: new Map([['t1', 2], ['t2', 3], ['t3', 1]]) })).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import { caseJudges } from '../../src/cases/judges/index.ts';
import { mark } from '../../src/bench/bench.ts';
import type { CallReply, SubjectDescription } from '../../src/adapter/messages.ts';
import { HistoryBuilder, offered } from '../histories/builder.ts';

const verdictOf = (invariant: string, story: HistoryBuilder): string | undefined => caseJudges[invariant]?.(story.named('').history).verdict;
const opened = (): HistoryBuilder => new HistoryBuilder().step('open', ['a']);
/** A call that reached its server under a request id of this story's own. */
const called = (story: HistoryBuilder, callId: string, id: number): HistoryBuilder => story
  .asked({ callId, name: 'a_x', arguments: { probe: callId } }, { server: 'a', rawName: 'x' })
  .received('a', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x', arguments: { probe: callId } } });
const ANSWER = { content: [{ type: 'text', text: 'the words of the server' }] };
const answered = (story: HistoryBuilder, id: number): HistoryBuilder => story.sent('a', { jsonrpc: '2.0', id, result: ANSWER });
const notice = (story: HistoryBuilder, requestId: unknown): HistoryBuilder => story.received('a', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const gaveUp = (story: HistoryBuilder, callId: string): HistoryBuilder => story.event({ kind: 'cancel', callId });
const SHOWN: Partial<CallReply> = { view: [{ type: 'text', text: 'the words of the server' }] };
const TIMED_OUT: Partial<CallReply> = { outcome: 'timed-out', executed: 'unknown', view: [], message: 'no answer within 500 ms' };
const ABORTED: Partial<CallReply> = { outcome: 'aborted', executed: 'unknown', view: [], message: 'cancelled' };

const lateAnswer = (reply: Partial<CallReply>): HistoryBuilder => answered(notice(called(opened(), 'c1', 5).outcome('c1', reply), 5), 5);
const bothEnded = (): HistoryBuilder => gaveUp(called(notice(called(opened(), 'c1', 5).outcome('c1', TIMED_OUT), 5), 'c2', 6), 'c2');
const lists = (story: HistoryBuilder, id: number, cursor?: string): HistoryBuilder =>
  story.received('a', { jsonrpc: '2.0', id, method: 'tools/list', ...(cursor === undefined ? {} : { params: { cursor } }) });
const pageOf = (story: HistoryBuilder, id: number, name: string, nextCursor?: string): HistoryBuilder =>
  story.sent('a', { jsonrpc: '2.0', id, result: { tools: [{ name }], ...(nextCursor === undefined ? {} : { nextCursor }) } });
const heldWhole = (story: HistoryBuilder): HistoryBuilder => story.registry([offered('a_x', mark('a', 'x')), offered('a_y', mark('a', 'y'))]);
/** Both have their first page before either asks for its second. */
const overlapping = (): HistoryBuilder => pageOf(lists(pageOf(lists(opened(), 1), 1, 'x', 'p2'), 3), 3, 'x', 'q2');
const verdicts = (story: HistoryBuilder): unknown => ['DISCOVERY-002', 'DISCOVERY-011'].map((invariant) => verdictOf(invariant, heldWhole(story)));
const wellFormed = (name: string): object => ({ name, inputSchema: { type: 'object' } });
const listedBefore = (): HistoryBuilder => opened().page('a', [wellFormed('x')]).registry([offered('a_x', mark('a', 'x'))]).announced('a');
const keptBefore = (story: HistoryBuilder): HistoryBuilder => story.registry([offered('a_x', mark('a', 'x'))]).step('close');
const pinged = (): HistoryBuilder => opened().sent('a', { jsonrpc: '2.0', id: 'p', method: 'ping' });
const withToken = (story: HistoryBuilder, id: number, token: unknown): HistoryBuilder =>
  story.received('a', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x', arguments: {}, _meta: { progressToken: token } } });

describe('a call whose own bound ended it', () => {
  it.each(['WIRE-005', 'WIRE-006', 'CALL-006', 'CALL-050'])('owes nothing to an answer that comes later (%s)', (invariant) => {
    expect(verdictOf(invariant, lateAnswer(TIMED_OUT))).toBe('inconclusive');
    expect(verdictOf(invariant, answered(called(lateAnswer(TIMED_OUT), 'c2', 6), 6).outcome('c2', SHOWN))).toBe('pass');
  });

  it('is no excuse for a success without an answer, nor for an answer that came before', () => {
    expect(verdictOf('WIRE-005', lateAnswer({ view: [] }))).toBe('fail');
    expect(verdictOf('WIRE-005', answered(called(opened(), 'c1', 5), 5).outcome('c1', TIMED_OUT))).toBe('fail');
  });

  it('owes nothing to an error or a value that comes later either', () => {
    const error = called(opened(), 'c1', 5).outcome('c1', TIMED_OUT).sent('a', { jsonrpc: '2.0', id: 5, error: { code: -1, message: 'too late' } });
    expect(verdictOf('CALL-008', error)).toBe('inconclusive');
  });
});

describe('notices of cancellation', () => {
  it('may name what a bound ended, a call or a listing', () => {
    expect(verdictOf('CALL-010', notice(bothEnded(), 6).outcome('c2', ABORTED))).toBe('pass');
    const listing = bothEnded().received('a', { jsonrpc: '2.0', id: 7, method: 'tools/list' });
    expect(verdictOf('CALL-010', notice(notice(listing, 7), 6).outcome('c2', ABORTED))).toBe('pass');
  });

  it('are one for each call that was cancelled, and name nothing else', () => {
    expect(verdictOf('CALL-010', notice(notice(bothEnded(), 6), 6).outcome('c2', ABORTED))).toBe('fail');
    expect(verdictOf('CALL-010', bothEnded().outcome('c2', ABORTED))).toBe('fail');
    expect(verdictOf('CALL-010', notice(notice(bothEnded(), 6), 77).outcome('c2', ABORTED))).toBe('fail');
    const beside = called(notice(bothEnded(), 6).outcome('c2', ABORTED), 'c3', 8);
    expect(verdictOf('CALL-010', answered(notice(beside, 8), 8).outcome('c3', SHOWN))).toBe('fail');
  });

  it('are not due for a call that had ended, or was answered, before it was cancelled', () => {
    const ended = gaveUp(answered(called(opened(), 'c1', 5), 5).outcome('c1', SHOWN), 'c1');
    const racing = gaveUp(answered(called(opened(), 'c1', 5), 5), 'c1').outcome('c1', ABORTED);
    for (const invariant of ['CALL-010', 'CALL-011']) expect([verdictOf(invariant, ended), verdictOf(invariant, racing)]).toEqual(['inconclusive', 'inconclusive']);
    expect(verdictOf('CALL-011', gaveUp(called(opened(), 'c1', 5), 'c1').outcome('c1', SHOWN))).toBe('fail');
    expect(verdictOf('CALL-011', answered(gaveUp(called(opened(), 'c1', 5), 'c1'), 5).outcome('c1', ABORTED))).toBe('fail');
  });
});

describe('listings that overlap', () => {
  it('are each read on with their own cursors', () => {
    expect(verdicts(pageOf(lists(pageOf(lists(overlapping(), 2, 'p2'), 2, 'y'), 4, 'q2'), 4, 'y'))).toEqual(['pass', 'pass']);
  });

  it('may ask again for a page that did not come', () => {
    const refused = lists(pageOf(lists(opened(), 1), 1, 'x', 'p2'), 2, 'p2').sent('a', { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'busy' } });
    expect(verdicts(pageOf(lists(refused, 3, 'p2'), 3, 'y'))).toEqual(['pass', 'inconclusive']);
  });

  it('never ask with a cursor that nobody gave, nor after the end', () => {
    expect(verdictOf('DISCOVERY-002', pageOf(lists(overlapping(), 2, 'p3'), 2, 'y'))).toBe('fail');
    expect(verdictOf('DISCOVERY-002', pageOf(lists(opened(), 1, 'p1'), 1, 'y'))).toBe('fail');
    expect(verdictOf('DISCOVERY-011', heldWhole(pageOf(lists(pageOf(lists(opened(), 1), 1, 'x'), 2, 'p2'), 2, 'y')))).toBe('fail');
  });
});

describe('the siblings of an odd entry', () => {
  it('may be refused with a list that is void', () => {
    expect(verdictOf('DISCOVERY-009', keptBefore(listedBefore().page('a', [wellFormed('x'), wellFormed('x'), wellFormed('new')]).log('error', 'x is listed twice, the list is void', 'a')))).toBe('inconclusive');
    expect(verdictOf('DISCOVERY-009', keptBefore(listedBefore().page('a', [wellFormed('x'), { name: 'odd' }, wellFormed('new')]).log('error', 'odd has no schema, the list is refused', 'a')))).toBe('fail');
  });
});

describe('requests of a server', () => {
  it('are due only while it waits for them', () => {
    expect(verdictOf('WIRE-002', pinged().record('a', { kind: 'process', event: 'exit', code: 1 }))).toBe('inconclusive');
    expect(verdictOf('WIRE-002', pinged().sent('a', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'p' } }))).toBe('inconclusive');
    expect(verdictOf('WIRE-002', pinged().received('a', { jsonrpc: '2.0', id: 'p', result: {} }))).toBe('pass');
  });

  it('are answered by who has the time', () => {
    expect(verdictOf('WIRE-002', pinged())).toBe('fail');
    expect(verdictOf('WIRE-002', pinged().wait(2_000).record('a', { kind: 'process', event: 'exit', code: 1 }))).toBe('fail');
    expect(verdictOf('WIRE-002', pinged().sent('a', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'other' } }))).toBe('fail');
  });
});

describe('a progress token', () => {
  it('is free again when its request was given up', () => {
    expect(verdictOf('WIRE-031', withToken(notice(withToken(opened(), 1, 't'), 1), 2, 't'))).toBe('inconclusive');
    expect(verdictOf('WIRE-031', withToken(notice(withToken(opened(), 1, 't'), 9), 2, 't'))).toBe('fail');
    expect(verdictOf('WIRE-031', withToken(withToken(opened(), 1, 't'), 2, 't'))).toBe('fail');
  });
});

describe('the payload of a block', () => {
  const data = 'QUJD'.repeat(20);
  const shownBy = (levels: SubjectDescription['levels'], content: readonly object[]): string | undefined => {
    const story = called(new HistoryBuilder({ levels }).step('open', ['a']), 'c1', 5).sent('a', { jsonrpc: '2.0', id: 5, result: { content } });
    return verdictOf('PROJECTION-006', story.outcome('c1', { view: [{ type: 'text', text: `as text: ${data}` }] }));
  };
  const image = { type: 'image', mimeType: 'image/png', data };

  it('may be read where its server says it in a text, but not by the rules of the seed', () => {
    const both = [image, { type: 'text', text: `as text: ${data}` }];
    expect([shownBy(['core'], both), shownBy(['core', 'seed'], both)]).toEqual(['inconclusive', 'fail']);
    expect(shownBy(['core'], [image, { type: 'text', text: 'as a picture' }])).toBe('fail');
  });
});

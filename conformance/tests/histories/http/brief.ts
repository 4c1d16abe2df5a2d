/** Streams to listen to that end at once. */
import { offeredBarrier } from '../../../src/checks/support/facts.ts';
import type { JudgeHistories } from '../builder.ts';
import { WebStory } from './web.ts';

interface Brief {
  /** Milliseconds between the end of each stream and the next request for one. */
  readonly pausesMs?: readonly number[];
  readonly ended?: boolean;
  readonly lastId?: string;
  readonly revision?: string;
  /** Whether each request is of a session of its own. */
  readonly anew?: boolean;
  readonly called?: 'slow' | 'steady';
  readonly works?: boolean;
}

const NEW = '2025-11-25';

/** A server whose streams to listen to end as they begin. */
function brief({ pausesMs = [], ended = true, lastId, revision = NEW, anew = false, called = 'slow', works = true }: Brief = {}): WebStory {
  const story = new WebStory('brief').began('one').with((builder) => builder.sent('brief', { jsonrpc: '2.0', id: 0, result: { protocolVersion: revision } }));
  [0, ...pausesMs].forEach((pauseMs, at) => {
    const [session, exchange] = [anew ? `session-${at}` : 'one', at + 2];
    story.wait(pauseMs).request('GET', { session, status: 200, ...(at > 0 && lastId !== undefined ? { headers: { 'last-event-id': lastId } } : {}) });
    if (ended) story.with((builder) => builder.record('brief', { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0, http: { method: 'GET', exchange, ended: 'complete' } }));
  });
  return works ? story.echoed('one', called) : story.sent('one', [200], {}, called);
}

const times = (count: number, pauseMs: number): number[] => Array.from({ length: count }, () => pauseMs);

/** What the judges of such streams must refuse and must let pass. */
export const briefHistories: readonly JudgeHistories[] = [
  {
    check: 'WIRE-054/ends-at-once',
    mustFail: [
      brief({ pausesMs: times(60, 0) }).named('a storm'), brief({ pausesMs: times(12, 10) }).named('hardly a pause'), brief({ pausesMs: times(60, 0), lastId: '7' }).named('a storm that names an event'),
      brief({ works: false }).named('a tool cannot be called'),
      new WebStory('brief').began('one').request('GET', { session: 'one', status: 200 }).with((builder) => builder.page('brief', [{ name: 'slow' }]).barrier(offeredBarrier('brief', 'slow'), false)).named('a tool is not offered'),
    ],
    mustPass: [
      brief().named('listened to once'), brief({ pausesMs: [0, 1, 2, 4, 8, 16, 32, 64, 128, 256] }).named('pauses that double'), brief({ pausesMs: times(60, 100) }).named('again and again, with a pause'),
      brief({ pausesMs: times(60, 0), anew: true }).named('one stream of each session, and many sessions'), brief({ pausesMs: [0, 0, 1_000, 1_000] }).named('a few streams side by side'),
    ],
    mustDoubt: [new WebStory('brief').began('one').named('no call'), brief({ ended: false }).named('no stream ended')],
  },
  {
    check: 'WIRE-042/while-listening',
    mustFail: [
      brief({ called: 'steady', pausesMs: [0], lastId: 'kept' }).named('at once, after the event that was named'), brief({ called: 'steady', pausesMs: [200], lastId: 'kept' }).named('after half of it'),
      brief({ called: 'steady', pausesMs: [0, 0] }).named('at once, and again'), brief({ called: 'steady', pausesMs: [0, 200] }).named('at once, and then too soon'),
    ],
    mustPass: [
      brief({ called: 'steady', pausesMs: [400], lastId: 'kept' }).named('after as long as it was asked for'), brief({ called: 'steady', pausesMs: [395, 5_000] }).named('a timer that fires a little early, and far later'),
      brief({ called: 'steady', pausesMs: [5, 395] }).named('two streams side by side, and one of them again'),
    ],
    mustDoubt: [new WebStory('brief').named('nothing was agreed'), brief({ called: 'steady', ended: false }).named('no stream ended'), brief({ called: 'slow', pausesMs: [400] }).named('no call')],
  },
];

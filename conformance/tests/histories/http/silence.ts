/** Requests over HTTP that are never answered. */
import { offeredBarrier } from '../../../src/checks/support/facts.ts';
import type { JudgeHistories } from '../builder.ts';
import { WebStory } from './web.ts';

/** Opened, with a request for a stream that gets no answer; nothing is said of how opening ends. */
const deaf = (asks = true): WebStory => {
  const story = new WebStory('silent').asked('open').began('one');
  return asks ? story.request('GET', { session: 'one' }).fault('no-head', 'drop') : story;
};

interface Start {
  readonly tookMs?: number;
  /** Milliseconds from the request to open until the one that is not answered. */
  readonly startMs?: number;
  readonly status?: 'ready' | 'degraded' | 'rejected' | 'none';
  readonly message?: string;
  /** Whether the subject hangs up so long before opening settles; else it never does. */
  readonly hangsUpMs?: number;
  readonly answered?: boolean;
}

/** A start at which one request is not answered. */
function start(method: 'initialize' | 'tools/list', { tookMs = 300, startMs = 5, status = 'degraded', message = 'it did not answer within 300 ms', hangsUpMs, answered = false }: Start = {}): WebStory {
  const story = new WebStory('silent').asked('open');
  if (method === 'tools/list') {
    story.with((builder) => builder.received('silent', { jsonrpc: '2.0', id: 0, method: 'initialize' }).sent('silent', { jsonrpc: '2.0', id: 0, result: {} }));
  }
  story.wait(startMs).request('POST', { message: { jsonrpc: '2.0', id: 1, method } });
  if (answered) story.with((builder) => builder.sent('silent', { jsonrpc: '2.0', id: 1, result: {} }));
  story.wait(tookMs);
  if (hangsUpMs !== undefined) {
    story.with((builder) => builder.record('silent', { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0, http: { method: 'POST', exchange: 1, ended: 'cut' } })).wait(hangsUpMs);
  }
  return status === 'none' ? story : story.with((builder) => builder.event({ kind: 'settled', step: 'open', servers: [{ name: 'silent', status, message }] }));
}

const limit = (check: string, method: 'initialize' | 'tools/list', option: string): JudgeHistories => ({
  check,
  mustFail: [
    start(method, { status: 'none' }).named('opening never settles'), start(method, { status: 'ready' }).named('said to be ready'), start(method, { tookMs: 1_600 }).named('seconds too late'),
    start(method, { tookMs: 80 }).named('after a quarter of the limit'), start(method, { tookMs: 80, hangsUpMs: 400 }).named('it hangs up after a quarter of the limit'), start(method, { message: 'it could not be reached' }).named('no word of the limit'),
  ],
  mustPass: [
    start(method).named('at the limit'), start(method, { tookMs: 1_200 }).named('a second late, on a busy machine'), start(method, { hangsUpMs: 2_500 }).named('it hangs up, and settles later'),
    start(method, { message: `${option} is over`, status: 'rejected' }).named('the option is named, not the number'),
    start(method, { startMs: 200, tookMs: 300 }).named('the start took long before'),
  ],
  mustDoubt: [new WebStory('silent').asked('open').named('nothing was asked'), start(method, { answered: true }).named('it was answered')],
});

/** What the judges of such requests must refuse and must let pass. */
export const silenceHistories: readonly JudgeHistories[] = [
  {
    check: 'WIRE-055/no-head',
    mustFail: [
      deaf().named('opening never settles'), deaf().settled('open').barrier(offeredBarrier('silent', 'steady'), false).named('nothing is offered'),
      deaf().settled('open').sent('one', [], { executed: 'no' }).named('a call is not sent'), deaf().settled('open').sent('one', [200], undefined).named('a call does not end'),
    ],
    mustPass: [
      deaf().settled('open').echoed('one').named('called'), deaf().request('GET', { session: 'one' }).settled('open').echoed('one').named('asked for once more'),
      new WebStory('silent').asked('open').began('one').settled('open').with((builder) => builder.registry([])).request('GET', { session: 'one' }).fault('no-head', 'drop').echoed('one').named('asked for when everything was open'),
    ],
    mustDoubt: [new WebStory('silent').asked('open').named('nothing was asked'), deaf(false).named('no stream, and no call'), deaf(false).settled('open').sent('one', [], { executed: 'no' }).named('no stream, and a call that was not sent')],
  },
  limit('CONNECTION-050/no-handshake', 'initialize', 'connectTimeoutMs'),
  limit('CONNECTION-050/no-list', 'tools/list', 'discoveryTimeoutMs'),
];

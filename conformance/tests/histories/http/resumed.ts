/** Answers whose streams end after an event with an id. */
import type { JudgeHistories } from '../builder.ts';
import { webHealthy, WebStory } from './web.ts';

interface Resumed {
  /** What is named when the rest is asked for; an empty one: nobody asks. */
  readonly id?: string;
  readonly ok?: boolean;
  readonly times?: number;
  readonly how?: 'cut' | 'closeStream' | 'none';
  readonly revision?: string;
}

/** An event with an id, by the stream of this exchange. */
const event = (story: WebStory, method: 'GET' | 'POST', exchange: number, id: string): WebStory =>
  story.with((builder) => builder.record('breaking', { kind: 'frame', direction: 'server-to-client', raw: '{}', bytes: 2, session: 'one', message: {}, http: { method, exchange, event: id } }));

const ended = (story: WebStory, ok: boolean): WebStory =>
  story.with((builder) => builder.outcome('r', ok ? { view: [{ type: 'text', text: '{"probe":"r"}' }] } : { outcome: 'failed', executed: 'unknown', view: [] }));

/** A call that was sent so many times, with one event by its stream before that ended in this way. */
function begun(times: number, how: 'cut' | 'closeStream' | 'none', revision = '2025-11-25'): WebStory {
  const story = webHealthy('breaking').with((builder) => builder.sent('breaking', { jsonrpc: '2.0', id: 0, result: { protocolVersion: revision } }));
  const message = { jsonrpc: '2.0', id: 50, method: 'tools/call', params: { name: 'resumed', arguments: { probe: 'r' } } };
  story.with((builder) => builder.asked({ callId: 'r', name: 'p_resumed', arguments: { probe: 'r' } }, { server: 'breaking', rawName: 'resumed' }));
  for (let n = 0; n < times; n += 1) story.request('POST', { session: 'one', status: 200, message });
  event(story, 'POST', 3, '7');
  return how === 'none' ? story : story.fault('on-resumed', how);
}

const asked = (story: WebStory, id: string): WebStory => story.request('GET', { session: 'one', status: 200, headers: { 'last-event-id': id } });

/** The stream of a call ended after the event 7. */
function resumed({ id = '7', ok = true, times = 1, how = 'cut', revision }: Resumed = {}): WebStory {
  const story = begun(times, how, revision);
  return ended(id === '' ? story : asked(story, id), ok);
}

/** It ended after the event 7, and what was resumed after the event 8. `came`: by which exchange of the second stream. */
function twice(ids: readonly [string, string], { ok = true, came = 4 }: { readonly ok?: boolean; readonly came?: number } = {}): WebStory {
  const story = begun(1, 'cut');
  if (ids[0] !== '') asked(story, ids[0]);
  if (came !== 0) event(story, 'GET', came, '8');
  story.fault('on-resumed', 'cut');
  if (ids[1] !== '') asked(story, ids[1]);
  return ended(story, ok);
}

/** What the judges of resumed answers must refuse and must let pass. */
export const resumedHistories: readonly JudgeHistories[] = [
  {
    check: 'CALL-032/after-an-event',
    mustFail: [resumed({ id: '', ok: false }).named('not resumed'), resumed({ id: '6' }).named('after another event'), resumed({ ok: false }).named('resumed, and not delivered'), resumed({ times: 2 }).named('sent again')],
    mustPass: [resumed().named('resumed'), asked(resumed(), '9').named('resumed twice')],
    mustDoubt: [webHealthy('breaking').named('no call'), resumed({ how: 'none' }).named('nothing broke')],
  },
  {
    check: 'CALL-032/breaks-twice',
    mustFail: [
      twice(['7', ''], { ok: false }).named('resumed once'), twice(['7', '7']).named('after the first event again'), twice(['7', '8'], { ok: false }).named('resumed twice, and not delivered'),
      twice(['', ''], { ok: false, came: 0 }).named('not resumed at all'),
    ],
    mustPass: [
      twice(['7', '8']).named('resumed twice'), asked(twice(['7', '8']), '8').named('once more, after the answer'),
      ended(asked(event(asked(asked(begun(1, 'cut'), '7'), '7'), 'GET', 5, '8').fault('on-resumed', 'cut'), '8'), true).named('by the second of two requests for the rest'),
    ],
    mustDoubt: [webHealthy('breaking').named('no call'), resumed().named('it broke once'), twice(['7', '7'], { came: 0 }).named('nothing came between the breaks')],
  },
  {
    check: 'WIRE-053/ended-to-be-polled',
    mustFail: [
      resumed({ how: 'closeStream', id: '', ok: false }).named('not polled for'), resumed({ how: 'closeStream', ok: false }).named('polled for, and not delivered'),
      resumed({ how: 'closeStream', times: 2 }).named('sent again'), resumed({ how: 'closeStream', id: '', ok: false, revision: '2026-07-28' }).named('in a later revision'),
    ],
    mustPass: [resumed({ how: 'closeStream' }).named('polled for'), asked(resumed({ how: 'closeStream' }), '7').named('asked for twice')],
    mustDoubt: [webHealthy('breaking').named('no call'), resumed({ how: 'none' }).named('nothing ended')],
  },
];

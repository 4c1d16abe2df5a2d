/** Servers over HTTP that are removed while a call is under way. */
import type { ServerSpec } from '../../../src/adapter/messages.ts';
import type { JudgeHistories } from '../builder.ts';
import { webHealthy, type WebStory } from './web.ts';

const SERVER = 'left-behind';
const STREAM = { 'content-type': 'text/event-stream' };
const CALL = 'call-under-way';
const SETTLED = 'the call that was under way settles';
const LET_GO = 'its streams are ended';
const REVIVED = 'an announcement after the removal is followed';
/** Exchanges of the stream to listen to, and of the call. */
const LISTEN = 90;
const WAITING = 91;

const entry: ServerSpec = { name: SERVER, transport: 'streamable-http', url: 'http://127.0.0.1:1/mcp' };
const step = (story: WebStory, name: 'remove' | 'add'): WebStory => story.with((builder) => builder.event({ kind: 'request', step: name, servers: [entry] }));
const done = (story: WebStory, name: 'remove' | 'add', status: 'ready' | 'rejected' = 'ready'): WebStory =>
  story.with((builder) => builder.event({ kind: 'settled', step: name, servers: name === 'add' ? [{ name: SERVER, status }] : [] }));
const over = (story: WebStory, exchange: number): WebStory =>
  story.with((builder) => builder.record(SERVER, { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0, session: 'one', http: { method: exchange === LISTEN ? 'GET' : 'POST', exchange, ended: 'cut' } }));

/** It listens, unless it does not; and a call of it is held by the server. */
function busy(listens = true): WebStory {
  const story = webHealthy(SERVER);
  if (listens) {
    story.with((builder) => builder.record(SERVER, { kind: 'frame', direction: 'client-to-server', raw: '', bytes: 0, session: 'one', http: { method: 'GET', exchange: LISTEN, requestHeaders: { 'mcp-session-id': 'one' } } }))
      .with((builder) => builder.record(SERVER, { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0, session: 'one', http: { method: 'GET', exchange: LISTEN, status: 200, responseHeaders: STREAM } }));
  }
  const message = { jsonrpc: '2.0', id: 900, method: 'tools/call', params: { name: 'waiting', arguments: { probe: CALL } } };
  return story.with((builder) => builder.asked({ callId: CALL, name: 'p_waiting', arguments: { probe: CALL } }, { server: SERVER, rawName: 'waiting' }))
    .with((builder) => builder.record(SERVER, { kind: 'frame', direction: 'client-to-server', raw: JSON.stringify(message), bytes: 1, session: 'one', message, http: { method: 'POST', exchange: WAITING, requestHeaders: { 'mcp-session-id': 'one' } } }))
    .with((builder) => builder.record(SERVER, { kind: 'hold', hold: 'never-answered', event: 'held' }));
}

const settles = (story: WebStory, outcome: 'failed' | 'ok' = 'failed'): WebStory => story.with((builder) => builder.outcome(CALL, { outcome, executed: 'unknown', view: [] })).barrier(SETTLED);
const deleted = (story: WebStory): WebStory => story.request('DELETE', { session: 'one', status: 405 });
const removed = (story: WebStory): WebStory => done(step(story, 'remove'), 'remove');
/** Nothing of it is seen any more. */
const nothing = (story: WebStory): WebStory => story.barrier(REVIVED, false).registry([]);
const anew = (story: WebStory): WebStory => done(step(story, 'add').began('two'), 'add').registry().echoed('two');
/** As it should be, up to the streams. */
const gone = (story = busy()): WebStory => over(over(settles(removed(story)), WAITING), LISTEN).barrier(LET_GO);
/** A removal that sends this much. */
const giving = (times: number): WebStory => {
  const story = step(busy(), 'remove');
  for (let n = 0; n < times; n += 1) deleted(story);
  return nothing(over(over(settles(done(story, 'remove')), WAITING), LISTEN).barrier(LET_GO));
};

/** What the judges of removals over HTTP must refuse and must let pass. */
export const webRemovalHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-041/call-under-way',
    mustFail: [
      anew(nothing(over(over(removed(busy()).barrier(SETTLED, false), WAITING), LISTEN).barrier(LET_GO))).named('the call never settles'),
      anew(nothing(over(over(settles(removed(busy()), 'ok'), WAITING), LISTEN).barrier(LET_GO))).named('the call succeeds'),
      anew(nothing(over(settles(removed(busy())), WAITING).barrier(LET_GO, false))).named('the stream stays open'),
      anew(nothing(gone().request('GET', { session: 'one', status: 200 }))).named('it listens again'),
      anew(nothing(gone().request('POST', { session: 'one', status: 200, message: { jsonrpc: '2.0', id: 901, method: 'tools/list' } }))).named('its list is read again'),
      anew(gone().barrier(REVIVED).registry([])).named('the tools come back'),
      anew(gone().barrier(REVIVED, false).registry()).named('the tools stay'),
      done(step(nothing(gone()), 'add'), 'add', 'rejected').registry([]).echoed('two').named('the name is taken'),
      done(step(nothing(gone()), 'add').began('two'), 'add').registry().sent('two', [200], {}).named('the added one cannot be called'),
      step(busy(), 'remove').barrier('remove settles', false).named('the removal never settles'),
    ],
    mustPass: [
      anew(nothing(gone())).named('all at once'),
      anew(nothing(over(settles(removed(busy(false))), WAITING).barrier(LET_GO))).named('it never listened'),
      anew(nothing(over(settles(removed(busy())), LISTEN).barrier(LET_GO))).named('the answer to the call is left open'),
      anew(nothing(over(over(settles(done(deleted(step(busy(), 'remove')), 'remove')), WAITING), LISTEN).barrier(LET_GO))).named('the session is given back, and kept by the server'),
      anew(nothing(gone().request('POST', { session: 'one', status: 202, message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 900 } } }))).named('the call is cancelled late'),
      anew(nothing(done(over(over(settles(step(busy(), 'remove')), WAITING), LISTEN), 'remove').barrier(LET_GO))).named('all before the removal settles'),
    ],
    mustDoubt: [webHealthy(SERVER).named('nothing was removed'), removed(webHealthy(SERVER)).named('no call was under way'), settles(removed(busy())).named('nobody waited for the streams'), nothing(gone()).named('it was not added again')],
  },
  {
    check: 'CONNECTION-033/removed',
    mustFail: [anew(giving(0)).named('not given back'), deleted(anew(giving(0))).named('given back when everything is closed'), anew(giving(2)).named('asked again'), deleted(anew(giving(1))).named('given back again at the end')],
    mustPass: [anew(giving(1)).named('given back'), anew(deleted(giving(0))).named('a moment after the removal settled')],
    mustDoubt: [webHealthy(SERVER).named('nothing was removed'), giving(0).named('it was not added again')],
  },
];

/** Outages over HTTP: attempts in the form of handshakes that are refused, calls between them. */
import { AWAITED, QUIET } from '../../../src/checks/connection/steps.ts';
import { offered, type JudgeHistories } from '../builder.ts';
import { webHealthy, type WebStory } from './web.ts';

const SERVER = 'overloaded';
const GONE = 'its tools are gone';
const RECONNECT = { initialDelayMs: 50, maxDelayMs: 200, maxAttempts: 4 };
const INITIALIZE = { jsonrpc: '2.0', id: 7, method: 'initialize', params: {} };

const lost = (): WebStory => webHealthy(SERVER, 'one', { reconnect: RECONNECT }).with((builder) => builder.record(SERVER, { kind: 'process', event: 'restart' })).ended('one');
const attempt = (story: WebStory, pauseMs: number): WebStory => story.wait(pauseMs).request('POST', { status: 503, message: INITIALIZE });
/** Attempts after these pauses. */
const tried = (pauses: readonly number[], story = lost()): WebStory => {
  for (const pause of pauses) attempt(story, pause);
  return story;
};
const reload = (story: WebStory): WebStory => story
  .with((builder) => builder.event({ kind: 'request', step: 'reload', servers: [] })).began('two')
  .with((builder) => builder.event({ kind: 'settled', step: 'reload', servers: [{ name: SERVER, status: 'ready' }] })).registry();
const givenUp = (story: WebStory): WebStory => story.registry([]).barrier(GONE).with((builder) => builder.log('error', 'given up', SERVER));
/** Given up in the end, nothing after it, and called again when it was asked for. */
const whole = (story: WebStory): WebStory => reload(givenUp(story.barrier(AWAITED)).barrier(QUIET, false).registry([])).echoed('two');
const DUE = [50, 100, 200, 200];

const during = (more: (story: WebStory) => WebStory): WebStory => tried(DUE.slice(1), more(tried(DUE.slice(0, 1))).registry()).barrier(AWAITED);
const KEPT = { jsonrpc: '2.0', id: 800, method: 'tools/call', params: { name: 'steady', arguments: { probe: 'kept' } } };
const kept = (story: WebStory): WebStory => story.with((builder) => builder.asked({ callId: 'kept', name: 'p_steady', arguments: { probe: 'kept' } }, { server: SERVER, rawName: 'steady' }));

/** What the judges of outages over HTTP must refuse and must let pass. */
export const webOutageHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-042/refused-handshakes',
    mustFail: [
      whole(tried([1, 1, 1, 1])).named('no pauses'), whole(tried([50, 50, 50, 50])).named('pauses do not grow'), whole(tried([50, 100, 190, 200])).named('a little too early'),
      whole(tried([30, 100, 200, 200])).named('the first too early'), whole(tried([50, 100, 200, 3_000])).named('seconds too late'),
      whole(tried([...DUE, 200])).named('one attempt more'),
      reload(tried(DUE).barrier(AWAITED).registry([]).barrier(GONE).barrier(QUIET, false)).echoed('two').named('given up in silence'),
      tried(DUE.slice(0, 2)).barrier(AWAITED, false).named('the third never comes'), lost().barrier(AWAITED, false).named('nothing is tried'),
      reload(tried(DUE).barrier(AWAITED).registry().barrier(GONE, false).with((builder) => builder.log('error', 'given up', SERVER)).barrier(QUIET, false)).echoed('two').named('the tools stay'),
      reload(givenUp(tried(DUE).barrier(AWAITED)).barrier(QUIET, false)).sent('two', [200], {}).named('a reload does not bring it back'),
    ],
    mustPass: [
      whole(tried(DUE)).named('to the millisecond'), whole(tried([700, 900, 800, 850])).named('a slow machine'), whole(tried([4_000, 100, 200, 200])).named('found out late, by a call'),
      whole(tried(DUE, lost().sent('one', [404], { executed: 'no' }).request('GET', { session: 'one', status: 404 }))).named('other requests before the first'),
      givenUp(tried(DUE).barrier(AWAITED)).barrier(QUIET, false).registry([]).named('it cannot be reloaded'),
    ],
    mustDoubt: [webHealthy(SERVER, 'one', { reconnect: RECONNECT }).named('nothing was lost'), tried(DUE).named('nobody waited'), givenUp(tried(DUE).barrier(AWAITED)).named('nobody waited for what should not come')],
  },
  {
    check: 'CONNECTION-043/refused-handshakes',
    mustFail: [
      during((story) => story.unsent({ executed: 'unknown' })).named('as perhaps executed'), during((story) => story.unsent({ outcome: 'ok' })).named('as a success'),
      during((story) => story.sent('', [], undefined)).named('it never settles'), during((story) => story.sent('', [], { executed: 'no' }, 'steady', 3_000)).named('it takes seconds'),
      during(kept).began('two').request('POST', { session: 'two', status: 200, message: KEPT }).with((builder) => builder.outcome('kept', { outcome: 'failed', executed: 'no' })).named('kept and sent later'),
      during((story) => story.unsent().registry([])).named('the tools are taken away'),
      tried(DUE, kept(lost())).registry().barrier(AWAITED).wait(3_000).with((builder) => builder.outcome('kept', { outcome: 'failed', executed: 'no' })).named('kept from the loss on'),
    ],
    mustPass: [
      during((story) => story.unsent().unsent({ outcome: 'tool-error', message: 'not now' })).named('whatever kind of failure'),
      during((story) => story.unsent().registry([offered('q_other'), offered('p_steady')])).named("another server's tool came meanwhile"),
      during((story) => story.unsent()).registry([]).unsent().named('taken away when it was given up'),
      tried(DUE.slice(1), tried(DUE.slice(0, 1), lost().sent('one', [undefined], { executed: 'unknown' })).unsent().registry()).barrier(AWAITED).named('a call met the loss, and perhaps ran'),
    ],
    mustDoubt: [webHealthy(SERVER).named('no outage'), during((story) => story).named('no call in it'), tried(DUE, lost().sent('one', [404], { executed: 'no' })).barrier(AWAITED).named('a call that met the loss itself')],
  },
];

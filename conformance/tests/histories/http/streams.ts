/** Servers without a stream, answers whose streams are lost, announcements around a loss. */
import { offeredBarrier } from '../../../src/checks/support/facts.ts';
import type { JudgeHistories } from '../builder.ts';
import { webHealthy, WebStory } from './web.ts';

const SAYINGS = { 'not-allowed': 405, 'not-found': 404, 'not-acceptable': 406, 'another-page': 200 };

/** Some of the four, each asked for a stream so many times; `deaf` cannot be called. */
function without(names: readonly (keyof typeof SAYINGS)[], asked = 1, deaf?: string): WebStory {
  const all = new WebStory('all');
  all.with((builder) => builder.event({ kind: 'request', step: 'open', servers: names.map((name) => ({ name, transport: 'streamable-http' as const, url: 'http://127.0.0.1:1/mcp' })) }));
  for (const name of names) {
    const one = new WebStory(name);
    for (let n = 0; n < asked; n += 1) one.request('GET', { session: name, status: SAYINGS[name] });
    if (name === deaf) one.sent(name, [], { executed: 'no' }, `of-${name}`);
    else one.echoed(name, `of-${name}`);
    // The same call, told by another story: its events go on in this one.
    all.with((builder) => one.named('').history.slice(1).forEach(({ atMs: _atMs, ...event }) => builder.event(event)));
  }
  return all;
}

/** So many sessions, each asked for a stream so many times; in a server without sessions none is named. */
function inSessions(count: number, asked: number, isNamed = true): WebStory {
  const name = isNamed ? 'not-allowed' : 'not-found';
  const story = new WebStory(name, { registry: 'pull' }).asked('open');
  for (let n = 0; n < count; n += 1) {
    const session = isNamed ? `session-${n}` : undefined;
    story.began(`session-${n}`);
    for (let m = 0; m < asked; m += 1) story.request('GET', { session, status: SAYINGS[name] });
  }
  return story.echoed('last', `of-${name}`);
}

const LOST = ['ends-without-an-answer', 'breaks-off', 'is-reset'] as const;

interface Losses {
  readonly times?: number;
  readonly reply?: Parameters<WebStory['sent']>[2] | 'none';
  readonly tookMs?: number;
  readonly after?: boolean;
}

/** Calls whose answers were lost, the last of them in this way. */
function losses({ times = 1, reply = {}, tookMs = 0, after = true }: Losses = {}): WebStory {
  const story = webHealthy('breaking');
  for (const name of LOST) {
    const isLast = name === 'is-reset';
    const statuses = Array.from({ length: isLast ? times : 1 }, () => 200);
    story.sent('one', statuses, isLast ? (reply === 'none' ? undefined : reply) : {}, name, isLast ? tookMs : 0).fault(`on-${name}`, 'cut');
  }
  return after ? story.echoed('one') : story;
}

const LISTENS = 'the subject listens';
const AGAIN = 'the subject listens again';
const HEARD = 'an announcement is followed';
const SHOWN = 'the announced list is shown';
const listening = (): WebStory => webHealthy('broadcaster').request('GET', { session: 'one', status: 200 }).barrier(LISTENS)
  .with((builder) => builder.record('broadcaster', { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0, session: 'one', http: { method: 'GET', exchange: 3, ended: 'cut' } }));
const announcing = (): WebStory => listening().barrier(AGAIN).with((builder) => builder.announced('broadcaster'));

/** What the judges of streams must refuse and must let pass. */
export const streamHistories: readonly JudgeHistories[] = [
  {
    check: 'WIRE-022/four-sayings',
    mustFail: [
      inSessions(2, 20).named('asked for again and again in each of two sessions'), inSessions(2, 20, false).named('asked for again and again after each handshake'),
      without(['not-allowed', 'not-found'], 40).named('asked for again and again'), without(['not-allowed', 'another-page'], 1, 'another-page').named('a tool cannot be called'),
      new WebStory('not-found').with((builder) => builder.event({ kind: 'request', step: 'open', servers: [{ name: 'not-found', transport: 'streamable-http', url: 'http://127.0.0.1:1/mcp' }] })
        .page('not-found', [{ name: 'of-not-found' }]).barrier(offeredBarrier('not-found', 'of-not-found'), false)).named('a tool is not offered'),
    ],
    mustPass: [
      without(['not-allowed', 'not-found', 'not-acceptable', 'another-page']).named('asked for once each'), without(['not-allowed'], 0).named('one server, never asked for'),
      without(['not-found', 'not-acceptable'], 3).named('tried a few times'), inSessions(9, 1).named('a session for each operation, asked for once in each'),
      inSessions(9, 1, false).named('a handshake for each operation, asked for once after each'),
    ],
    mustDoubt: [new WebStory('all').named('nothing was opened')],
  },
  {
    check: 'CALL-030/answer-lost',
    mustFail: [losses({ times: 2 }).named('sent again'), losses({ times: 2, reply: { outcome: 'ok', executed: 'yes' } }).named('sent again, and answered')],
    mustPass: [losses().named('sent once each'), losses({ reply: 'none' }).named('one never settled, which others judge')],
    mustDoubt: [webHealthy('breaking').named('nothing was lost'), webHealthy('breaking').sent('one', [], {}, 'ends-without-an-answer').named('a call was not sent')],
  },
  {
    check: 'CALL-031/answer-lost',
    mustFail: [
      losses({ tookMs: 5_000 }).named('after seconds only'), losses({ reply: 'none' }).named('never'), losses({ reply: { executed: 'no' } }).named('as not executed'),
      losses({ reply: { executed: 'yes' } }).named('as executed'), losses({ reply: { outcome: 'ok' } }).named('as a success'),
    ],
    mustPass: [losses({ tookMs: 1_500 }).named('after a moment'), losses({ reply: { outcome: 'timed-out' } }).named('under another name')],
    mustDoubt: [webHealthy('breaking').named('nothing was lost')],
  },
  {
    check: 'GENERATION-020/heard-again',
    mustFail: [
      announcing().barrier(HEARD).barrier(SHOWN, false).named('never followed'), listening().barrier(AGAIN, false).barrier(HEARD, false).named('not listened for again'),
      webHealthy('broadcaster').barrier(LISTENS, false).named('not listened for at all'), announcing().barrier(SHOWN).sent('one', [200], {}, 'fresh').named('the new tool cannot be called'),
      webHealthy('broadcaster').barrier(LISTENS).barrier(HEARD, false).named('not followed even before the loss'),
    ],
    mustPass: [announcing().barrier(HEARD).barrier(SHOWN).echoed('one', 'fresh').named('followed'), listening().barrier(AGAIN, false).barrier(SHOWN).echoed('two', 'fresh').named('followed in a new session')],
    mustDoubt: [webHealthy('broadcaster').named('nobody waited'), announcing().named('nobody looked')],
    mustSkip: [webHealthy('broadcaster', 'one', {}, { registry: 'pull' }).barrier(LISTENS, false).named('it lists at each look, and listens to nothing')],
  },
  {
    check: 'GENERATION-020/missed',
    mustFail: [listening().barrier(AGAIN).barrier(SHOWN, false).named('the change is never seen')],
    mustPass: [listening().barrier(AGAIN).barrier(SHOWN).echoed('one', 'fresh').named('looked at again')],
    mustDoubt: [webHealthy('broadcaster').barrier(LISTENS).barrier(SHOWN).echoed('one', 'fresh').named('the stream was not lost')],
  },
];

/** Requests for streams, requests of the server, forms of answers, redirects: over HTTP. */
import { offeredBarrier } from '../../../src/checks/support/facts.ts';
import { canary } from '../../../src/checks/support/scripts.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { pongPosted, questioned, questionsAnswered } from '../wire.ts';
import { posted } from './posted.ts';
import { WebStory } from './web.ts';

const PING = 'ping-while-listening';
const ANSWERED = 'answer to a ping in the stream that is listened to';

/** All questions of the call answered, and a ping by the other stream. */
const pinged = (builder = questionsAnswered()): HistoryBuilder => builder.sent('curious', { jsonrpc: '2.0', id: PING, method: 'ping', params: {} });
const PONG = { jsonrpc: '2.0', id: PING, result: {} };
const replied = (member: object): HistoryBuilder => pinged().received('curious', { jsonrpc: '2.0', id: PING, ...member });

interface Pause {
  readonly revision?: string;
  readonly afterMs?: number;
  readonly lastId?: string;
  readonly ended?: 'complete' | 'cut';
  readonly accept?: string;
}

/** The stream of a call that its server ended after the event 3-1, and who came back for it, when and how. */
function polled({ revision = '2025-11-25', afterMs = 400, lastId = '3-1', ended = 'complete', accept = 'text/event-stream' }: Pause = {}): WebStory {
  const story = new WebStory('pausing').began('one');
  story.with((builder) => builder.sent('pausing', { jsonrpc: '2.0', id: 0, result: { protocolVersion: revision } }));
  story.request('GET', { session: 'one', status: 200, headers: { accept } });
  story.request('POST', { session: 'one', status: 200, message: { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'polled', arguments: {} } } });
  const sent = { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0 } as const;
  story.with((builder) => builder.record('pausing', { ...sent, http: { method: 'POST', exchange: 3, event: '3-1' } }).record('pausing', { ...sent, http: { method: 'POST', exchange: 3, ended } }));
  return lastId === '' ? story : story.wait(afterMs).request('GET', { session: 'one', status: 200, headers: { accept, 'last-event-id': lastId } });
}

const FORMS = ['json-with-a-session', 'json-without-a-session', 'streams-with-a-session', 'streams-without-a-session'] as const;

/** The four of them opened together; `odd` is where something else happens. */
function forms(odd?: (typeof FORMS)[number], happens: (story: WebStory) => WebStory = (story) => story): WebStory {
  const all = new WebStory('all');
  all.with((builder) => builder.event({ kind: 'request', step: 'open', servers: FORMS.map((name) => ({ name, transport: 'streamable-http' as const, url: 'http://127.0.0.1:1/mcp' })) }));
  for (const name of FORMS) {
    const one = new WebStory(name);
    if (name === odd) happens(one);
    else one.began(name).echoed(name, `of-${name}`);
    // Told by another story: its events go on in this one.
    all.with((builder) => one.named('').history.slice(1).forEach(({ atMs: _atMs, ...event }) => builder.event(event)));
  }
  return all;
}
const ODD = 'json-without-a-session';
const unoffered = (story: WebStory): WebStory => story.barrier(offeredBarrier(ODD, `of-${ODD}`), false);
const listed = (story: WebStory): WebStory => story.with((builder) => builder.page(ODD, [{ name: `of-${ODD}` }]));

const OWN = { authorization: `Bearer ${canary('Redirected')}`, 'x-api-key': canary('Key') };

/** A call that is redirected, and what came to the other origin; `own` goes to the first. */
function redirected(strayed: Readonly<Record<string, string>> | undefined, own: Readonly<Record<string, string>> = OWN, raw = ''): HistoryBuilder {
  const builder = history();
  const request = (server: string, headers: Readonly<Record<string, string>>, message: object | undefined, body = ''): HistoryBuilder => builder.record(server, {
    kind: 'frame', direction: 'client-to-server', raw: body, bytes: body.length, ...(message === undefined ? {} : { message }), http: { method: message === undefined ? 'GET' : 'POST', requestHeaders: { ...headers } },
  });
  request('moving', own, { jsonrpc: '2.0', id: 0, method: 'initialize' });
  request('moving', own, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'steady', arguments: {} } });
  return strayed === undefined ? builder : request('somewhere-else', strayed, { jsonrpc: '2.0', id: 2, method: 'tools/call' }, raw);
}

/** What these judges must refuse and must let pass. */
export const askingHistories: readonly JudgeHistories[] = [
  questioned('WIRE-040/asked-by-both-streams', {
    mustFail: [pinged().barrier(ANSWERED, false).named('a ping by the other stream is not answered'), replied({ error: { code: -32601, message: 'no' } }).named('a ping by the other stream is refused'),
      pongPosted([400]).named('the server refuses the answer to its ping'), posted(pinged(), 'curious', 9, PONG, 404).barrier(ANSWERED).named('the server refuses the answer to its ping by the other stream'),
    ],
    mustPass: [
      questionsAnswered().named('it listens to no other stream'), pongPosted([202]).named('the server takes the answer to its ping'), pongPosted([undefined]).named('the response to an answer is not there yet'),
      pongPosted([400, 202]).named('an answer is refused once, and sent again as it should be'), posted(pinged(), 'curious', 9, PONG, 202).barrier(ANSWERED).named('the server takes the answer by the other stream'),
      replied({ result: {} }).barrier(ANSWERED).named('a ping by the other stream is answered'), replied({ result: {} }).barrier(ANSWERED, false).named('answered late, as a busy machine may'),
    ],
  }),
  {
    check: 'WIRE-041/each-get',
    mustFail: [polled({ accept: 'text/html' }).named('a page'), polled({ accept: 'application/json' }).named('JSON alone'), polled({ accept: '' }).named('nothing')],
    mustPass: [polled({ accept: 'text/event-stream' }).named('as it should'), polled({ accept: 'application/json;q=0.5, Text/Event-Stream; charset=utf-8' }).named('among others, in other letters'), polled({ accept: '*/*' }).named('whatever comes')],
    mustDoubt: [new WebStory('pausing').named('nothing was asked'), new WebStory('pausing').began('one').named('no call')],
  },
  {
    check: 'WIRE-042/after-retry',
    mustFail: [polled({ afterMs: 0 }).named('at once'), polled({ afterMs: 200 }).named('after half of it'), polled({ afterMs: 0 }).request('GET', { session: 'one', status: 200, headers: { 'last-event-id': '3-1' } }).named('at once, and again')],
    mustPass: [polled().named('after as long as it was asked for'), polled({ afterMs: 5_000 }).named('after far longer'), polled({ afterMs: 395 }).named('a timer that fires a little early')],
    mustDoubt: [new WebStory('pausing').named('nothing was agreed'), polled({ ended: 'cut' }).named('nothing was ended'), new WebStory('pausing').began('one').with((builder) => builder.sent('pausing', { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } })).named('no stream')],
  },
  {
    check: 'WIRE-043/four-forms',
    mustFail: [
      forms(ODD, (story) => story.began('x').sent('x', [200], {}, `of-${ODD}`).with((builder) => builder.record(ODD, { kind: 'frame', direction: 'server-to-client', raw: '{}', bytes: 2, session: 'x', message: { jsonrpc: '2.0', id: 2, result: {} } }))).named('an answer that came is not read'),
      forms(ODD, (story) => story.began('x').sent('x', [], {}, `of-${ODD}`)).named('it is not called'),
      forms(ODD, (story) => unoffered(story.began('x'))).named('it is never asked for its tools'), forms(ODD, (story) => unoffered(listed(story.began('x')))).named('its tools are not offered'),
      forms(ODD, (story) => story.began('x').barrier('open settles', false)).named('the opening never ends'),
    ],
    mustPass: [forms().named('all four'), forms(ODD, (story) => story.began('x').request('GET', { status: 405 }).echoed('x', `of-${ODD}`).echoed('x', `of-${ODD}`)).named('one is called twice')],
    mustDoubt: [new WebStory('all').named('nothing was opened'), forms(ODD).named('one gave no handshake'), forms(ODD, (story) => story.began('x').sent('x', [200], {}, `of-${ODD}`)).named('one did not answer')],
  },
  {
    check: 'CONFIG-016/calls-and-streams',
    mustFail: [
      redirected(OWN).named('both go'), redirected({ 'x-api-key': OWN['x-api-key'] }).named('the one that the platform knows nothing of'), redirected({ cookie: `key=${OWN['x-api-key']}` }).named('under another name'),
      redirected({}, OWN, JSON.stringify({ token: canary('Redirected') })).named('in the body'),
    ],
    mustPass: [redirected(undefined).named('the redirect is not followed'), redirected({ accept: 'application/json' }).named('it is followed without them')],
    mustDoubt: [history().named('no request came'), redirected(undefined, {}).named('its own origin does not get them either')],
  },
];

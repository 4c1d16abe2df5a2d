/** Starts that are refused, and what requests say of their session. */
import type { ServerReply, ServerSpec, SubjectDescription } from '../../../src/adapter/messages.ts';
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { WebStory } from './web.ts';

const NAMES = ['wrong-key', 'wrong-path', 'nobody-there'] as const;
const SAID: Readonly<Record<string, string>> = { 'wrong-key': 'refused with 401', 'wrong-path': 'HTTP 404', 'nobody-there': 'connect ECONNREFUSED 127.0.0.1:4711' };

/** All of them asked for; each says what it says. */
function refused(said: Readonly<Record<string, string>> = {}, status: ServerReply['status'] = 'degraded', names: readonly string[] = NAMES, subject: Partial<SubjectDescription> = {}): HistoryBuilder {
  const builder = history(subject);
  const servers = names.map((name): ServerSpec => ({ name, transport: 'streamable-http', url: 'http://127.0.0.1:4711/mcp' }));
  builder.event({ kind: 'request', step: 'open', servers });
  for (const [name, code] of [['wrong-key', 401], ['wrong-path', 404]] as const) {
    if (!names.includes(name)) continue;
    const http = { method: 'POST', exchange: code };
    builder.record(name, { kind: 'frame', direction: 'client-to-server', raw: '{}', bytes: 2, message: { method: 'initialize' }, http: { ...http, requestHeaders: {} } })
      .record(name, { kind: 'frame', direction: 'server-to-client', raw: '', bytes: 0, http: { ...http, status: code } });
  }
  const replies = names.map((name): ServerReply => ({ name, status: name === 'wrong-key' ? status : 'degraded', message: said[name] ?? SAID[name] ?? '' }));
  return builder.event({ kind: 'settled', step: 'open', servers: replies });
}

const RIGHT = { 'mcp-protocol-version': '2025-06-18', accept: 'application/json, text/event-stream' };

/** A handshake in which an older revision was agreed. */
const agreed = (): WebStory => handshake(new WebStory('formal'), 'one');

function handshake(begun: WebStory, session: string, server = 'formal'): WebStory {
  const story = begun.request('POST', { status: 200, message: { jsonrpc: '2.0', id: 0, method: 'initialize' }, headers: { accept: RIGHT.accept } });
  const message = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } };
  return story.with((builder) => builder.record(server, { kind: 'process', event: 'session', session }).sent(server, message));
}
const initialized = (headers: Readonly<Record<string, string>> = RIGHT, session: string | undefined = 'one', story = agreed()): WebStory =>
  story.request('POST', { session, status: 202, message: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers });
const listed = (story: WebStory, session: string, headers: Readonly<Record<string, string>> = RIGHT): WebStory =>
  story.request('POST', { session, status: 200, message: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers });
const secondSession = (): WebStory => initialized(RIGHT, 'two', handshake(initialized(), 'two'));
const DISCOVER = { jsonrpc: '2.0', id: 'probe', method: 'server/discover' };
const NEWER = { 'mcp-protocol-version': '2026-07-28', accept: RIGHT.accept };

/** The server of the other exercise: it asks in a call that is given up. An answer and a notice, with these headers. */
const saidBeside = (answer: Readonly<Record<string, string>> | undefined, notice = RIGHT, named: 'one' | 'two' | 'none' = 'one'): WebStory => {
  const session = named === 'none' ? undefined : named;
  const story = initialized(RIGHT, 'one', handshake(new WebStory('talking'), 'one', 'talking'));
  if (answer !== undefined) story.request('POST', { session, status: 202, message: { jsonrpc: '2.0', id: 'are-you-there', result: {} }, headers: answer });
  return story.request('POST', { session, status: 202, message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }, headers: notice });
};

/** What the judges of starts and headers must refuse and must let pass. */
export const startHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-034/three-ways',
    mustFail: [
      refused({ 'wrong-key': 'connection failed' }).named('the status is not said'), refused({ 'wrong-path': 'refused with 401' }).named('another status is said'), refused({ 'nobody-there': 'fetch failed' }).named('the address is not said'),
      refused({ 'wrong-key': 'could not reach http://127.0.0.1:40123/mcp' }).named('a port that begins like the status'), refused({ 'wrong-path': 'failed after 404 ms' }).named('a length of time like the status'),
      refused({}, 'ready').named('said to be ready'),
    ],
    mustPass: [
      refused({ 'wrong-key': 'http://127.0.0.1:40123/mcp: HTTP_401', 'wrong-path': 'not found (404)' }).named('each in words of its own'), refused().named('each says why'), refused({}, 'rejected', ['wrong-key']).named('one server only'),
      refused({}, 'ready', NAMES, { registry: 'pull' }).named('ready before anything was asked of it, refused at the look'),
    ],
    mustDoubt: [
      history({ registry: 'pull' }).step('open', [...NAMES]).named('nothing was asked of them yet'),
      history().named('nothing was opened'), history().step('open', [{ name: 'wrong-key', status: 'degraded', message: '401' }]).named('nothing was refused'),
    ],
  },
  {
    check: 'WIRE-025/older-revision',
    mustFail: [
      initialized({ ...RIGHT, 'mcp-protocol-version': '2025-11-25' }).named('the revision it asked for'), initialized({ accept: RIGHT.accept }).named('no revision'), initialized(RIGHT, 'two').named('another session'),
      initialized().request('GET', { session: 'one', status: 200, headers: { accept: 'text/event-stream' } }).named('a GET without a revision'), initialized().request('DELETE', { status: 400, headers: RIGHT }).named('a DELETE without a session'),
      initialized({ ...RIGHT, accept: 'application/json' }).named('JSON alone'),
      listed(agreed(), 'one', { accept: RIGHT.accept }).named('no revision, and no word that the handshake is over'), listed(initialized(), 'two').named('a session that begins later'),
    ],
    mustPass: [initialized().request('GET', { session: 'one', status: 405, headers: { ...RIGHT, accept: 'text/event-stream' } }).named('each as it should'), initialized({ ...RIGHT, accept: '*/*' }).named('whatever comes'),
      initialized({ ...RIGHT, accept: 'Text/Event-Stream;q=0.5,Application/JSON' }).named('types in capitals, the other way round'),
      listed(listed(secondSession(), 'two'), 'one').named('a second session, and each request names its own'),
      initialized(RIGHT, 'two', handshake(initialized().request('POST', { status: 400, message: DISCOVER, headers: NEWER }), 'two')).named('a second session after a probe of another era'),
    ],
    mustDoubt: [new WebStory('formal').named('no handshake'), agreed().named('nothing after the handshake')],
  },
  {
    check: 'WIRE-025/answers-and-notices',
    mustFail: [
      saidBeside({ accept: RIGHT.accept }).named('an answer without a revision'), saidBeside(RIGHT, { ...RIGHT, 'mcp-protocol-version': '2025-11-25' }).named('a notice with another revision'),
      saidBeside(RIGHT, RIGHT, 'none').named('neither names a session'), saidBeside(RIGHT, RIGHT, 'two').named('a session that never began'), saidBeside({ ...RIGHT, accept: 'application/json' }).named('an answer that accepts JSON alone'),
    ],
    mustPass: [saidBeside(RIGHT).named('as it should be'), saidBeside({ ...RIGHT, accept: '*/*' }).request('GET', { session: 'one', status: 200, headers: { ...RIGHT, accept: 'text/event-stream' } }).named('whatever comes, and a stream'), saidBeside(undefined).named('a notice alone')],
    mustDoubt: [new WebStory('talking').named('no handshake'), initialized(RIGHT, 'one', handshake(new WebStory('talking'), 'one', 'talking')).named('nothing was answered, and no call given up')],
  },
];

/** First connections, names that become free, defaults and headers. */
import { secondStart } from '../../../src/checks/config/startup.ts';
import { AWAITED, QUIET } from '../../../src/checks/connection/steps.ts';
import { SESSION } from '../../../src/checks/support/http-origin.ts';
import { canary } from '../../../src/checks/support/scripts.ts';
import type { ServerReply } from '../../../src/adapter/messages.ts';
import { history, offered, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';
import { healthy, Story } from '../connection/lives.ts';

/** A removal under way, a process that stays a while, and the same name asked for. */
const leaving = (): Story => healthy('successor').asked('remove').asked('add').leaving(1).wait(200).sign(1);
const left = (story: Story): Story => story.ended(1, 0).settled('remove');

const FIRST = 'refuses-the-list';
const failed = (rule = 'tools-list-1'): Story => new Story(FIRST).asked('open').began(1).with((builder) => builder.fault(FIRST, rule, 'error', 1));
const goesOn = (): Story => failed().ended(1, 0).log('error', 'no list yet').settled('open', 'degraded').wait(20).began(2).listed(2).registry();

const NAMES = ['ends-at-once', FIRST, 'lists-one-twice'] as const;

interface Strict {
  readonly status?: ServerReply['status'];
  readonly message?: string;
  readonly logged?: boolean | 'warn';
  readonly ended?: boolean;
  /** A tool of the host and one of a server that is well. */
  readonly beside?: boolean;
  readonly again?: boolean;
  readonly tools?: boolean;
  readonly added?: ServerReply['status'];
}

/** Three that fail under `failOnStartupError`, and are added again. */
function strict({ status = 'rejected', message = 'no list yet', logged = true, ended = true, again = false, tools = false, added = 'ready', beside = false }: Strict = {}): HistoryBuilder {
  const { builder } = new Story(FIRST).asked('open');
  for (const name of NAMES) {
    builder.record(name, { kind: 'process', event: 'start' });
    if (ended) builder.record(name, { kind: 'process', event: 'exit', code: 0 });
    if (logged !== false) builder.log(logged === true ? 'error' : logged, 'no list yet', name);
  }
  builder.event({ kind: 'settled', step: 'open', servers: [...(beside ? [{ name: 'well', status: 'ready' as const }] : []), ...NAMES.map((name) => ({ name, status, message }))] });
  if (again) builder.record(FIRST, { kind: 'process', event: 'start' }, 2).record(FIRST, { kind: 'process', event: 'exit', code: 0 }, 2);
  builder.barrier(QUIET, false).registry([...(tools ? [offered('p_steady')] : []), ...(beside ? [offered('native'), offered('q_well')] : [])]);
  for (const name of NAMES) {
    builder.step('add', [{ name, status: added }]).record(name, { kind: 'process', event: 'start' }, 3);
    if (added === 'ready') echo(builder, name, 'steady');
  }
  return builder;
}

interface Crowded {
  readonly lenient?: ServerReply['status'];
  /** It takes long to begin, and is listed twice. */
  readonly slow?: boolean;
  readonly strictly?: ServerReply['status'];
  readonly closes?: boolean;
  readonly again?: boolean;
  readonly logged?: boolean;
  readonly left?: readonly string[];
}

/** A foreign tool is in the way: by default, then under `failOnStartupError`. */
function crowded({ lenient = 'degraded', slow = false, strictly = 'rejected', closes = false, again = false, logged = true, left: rest = [] }: Crowded = {}): HistoryBuilder {
  const host = { foreignTools: ['p_steady'] };
  const builder = history().step('open', ['tenant']).step('close').step('open', [{ name: 'tenant', status: lenient }], host).step('close').step('open', [{ name: 'tenant', status: strictly }], host);
  const events = [...builder.named('').history];
  const [opened, closed] = [events.findIndex((event) => event.kind === 'request' && event.host !== undefined), events.findLastIndex((event) => event.kind === 'request' && event.step === 'close')];
  const between = new Story('tenant').wait(slow ? 900 : 0).began(1, slow ? 800 : 0).listed(1);
  if (slow) between.log('info', 'tried once more').listed(1);
  if (logged) between.log('error', 'a foreign tool is in the way');
  if (closes) between.leaving(1).ended(1, 0);
  if (again) between.began(2).listed(2);
  between.registry([offered('p_steady'), ...rest.map((name) => offered(name))]).barrier(QUIET, false);
  const told = history();
  for (const event of [...events.slice(1, opened + 1), ...between.named('').history.slice(1), ...events.slice(opened + 1, closed + 1), ...events.slice(closed + 1)]) told.event(event);
  return told;
}

const lost = (): Story => healthy('plain').ended(1);

const OWN = { authorization: `Bearer ${canary('Bearer')}`, 'x-tenant': canary('Tenant'), 'x-mixed-case': canary('Mixed') };
const PROTOCOL = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', 'mcp-session-id': SESSION };

/** One request over HTTP. */
function request(builder: HistoryBuilder, headers: Readonly<Record<string, string>>, { method = 'POST', server = 'remote', message = undefined as object | undefined } = {}): HistoryBuilder {
  return builder.record(server, {
    kind: 'frame', direction: 'client-to-server', raw: '', bytes: 0, ...(message === undefined ? {} : { message }), http: { method, requestHeaders: { ...headers } },
  });
}

/** A handshake, an event stream and a session's end, with these headers; a call in between. */
function remote(headers: { readonly post?: Readonly<Record<string, string>>; readonly get?: Readonly<Record<string, string>>; readonly gone?: Readonly<Record<string, string>> }, status: ServerReply['status'] = 'ready'): HistoryBuilder {
  const { post = OWN, get = OWN, gone = OWN } = headers;
  const { 'mcp-session-id': _session, ...first } = { ...PROTOCOL, ...post };
  const builder = request(history(), first, { message: { jsonrpc: '2.0', id: 0, method: 'initialize' } });
  request(builder, { ...PROTOCOL, ...post }, { message: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  request(builder, { ...PROTOCOL, ...get }, { method: 'GET' }).step('open', [{ name: 'remote', status }]).registry([offered('p_steady')]);
  echo(builder, 'remote', 'steady');
  return request(builder, { ...PROTOCOL, ...gone }, { method: 'DELETE' });
}

/** What the judges of these must refuse and must let pass. */
export const startupHistories: readonly JudgeHistories[] = [
  {
    check: 'CONFIG-010/waits',
    mustFail: [
      left(leaving()).settled('add', 'rejected', 'taken').named('it counts as a conflict'), leaving().began(2).sign(1).ended(1, 0).settled('remove').listed(2).settled('add').echoed(2).named('two processes at once'),
      left(leaving()).began(2).listed(2).settled('add').registry().with((builder) => builder.call('p_steady', 'successor', 'steady', 'steady', { outcome: 'failed' })).named('the new one cannot be called'),
    ],
    mustPass: [left(leaving()).began(2).listed(2).settled('add').registry().echoed(2).named('one after the other'), left(leaving()).wait(300).began(2, 250).listed(2).settled('add').registry().echoed(2).named('slow to begin')],
    mustDoubt: [healthy('successor').asked('remove').leaving(1).ended(1, 0).settled('remove').asked('add').began(2).listed(2).settled('add').echoed(2).named('asked for afterwards')],
  },
  {
    check: 'CONFIG-010/within-its-bound',
    mustFail: [
      left(leaving()).began(2).listed(2).settled('add').registry().echoed(2).named('it waits on'), left(leaving().settled('add', 'rejected', 'timeout')).asked('add').began(2).listed(2).settled('add').registry().echoed(2).named('the name is not said'),
      left(leaving().settled('add', 'rejected', 'successor is still leaving')).asked('add').settled('add', 'rejected', 'successor is still leaving').named('the name stays taken'),
    ],
    mustPass: [left(leaving().settled('add', 'rejected', '"successor" is still leaving')).asked('add').began(2).listed(2).settled('add').registry().echoed(2).named('refused, then free')],
    mustDoubt: [left(leaving().settled('add', 'rejected', 'successor')).named('not tried again')],
  },
  {
    check: 'CONFIG-011/goes-on',
    mustFail: [
      failed().ended(1, 0).log('error', 'no').settled('open', 'rejected', 'no list yet').barrier(secondStart(FIRST), false).named('rejected'),
      failed().ended(1, 0).log('error', 'no').settled('open', 'degraded').barrier(secondStart(FIRST), false).named('not tried again'),
      failed().log('error', 'no').settled('open', 'degraded').began(2).listed(2).registry().echoed(2).named('the connection was not closed'),
      failed().ended(1, 0).log('info', 'no').settled('open', 'degraded').began(2).listed(2).registry().echoed(2).named('told at info only'),
      goesOn().with((builder) => builder.call('p_steady', FIRST, 'steady', 'steady', { outcome: 'failed' })).named('it comes up and cannot be called'),
    ],
    mustPass: [goesOn().echoed(2).named('it comes up later'), failed().ended(1, 0).log('warn', 'no').settled('open').began(2).listed(2).registry().echoed(2).named('a warning, and ready by the time of the answer')],
    mustDoubt: [new Story(FIRST).asked('open').began(1).listed(1).settled('open').named('it did not fail'), goesOn().named('nobody called')],
  },
  {
    check: 'CONFIG-012/rejects',
    mustFail: [
      strict({ status: 'degraded' }).named('it goes on'), strict({ message: '' }).named('without a reason'), strict({ logged: false }).named('not logged'), strict({ ended: false }).named('a process is left'),
      strict({ again: true }).named('started again'), strict({ tools: true }).named('its tools are registered'), strict({ added: 'rejected' }).named('the name is taken'),
    ],
    mustPass: [strict().named('rejected, nothing left'), strict({ logged: 'warn', beside: true, message: '?' }).named("told as a warning, in another's words, with a tool of the host and a server that is well beside them")],
    mustDoubt: [new Story(FIRST).asked('open').began(1).listed(1).settled('open').named('one server, and well')],
  },
  {
    check: 'CONFIG-013/foreign-tool',
    mustFail: [
      crowded({ lenient: 'rejected' }).named('rejected by default'), crowded({ closes: true }).named('the connection is closed'), crowded({ again: true }).named('a second process'),
      crowded({ logged: false }).named('no error'), crowded({ left: ['p_other'] }).named('a sibling is registered'), crowded({ strictly: 'degraded' }).named('not rejected when it should be'),
    ],
    mustPass: [crowded().named('stays up by default, rejected when strict'), crowded({ lenient: 'ready', slow: true }).named('said to be ready without its tool, and listed again before the bound')],
    mustDoubt: [history().step('open', ['tenant']).named('no foreign tool')],
  },
  {
    check: 'CONFIG-014/reconnect',
    mustFail: [lost().barrier(AWAITED, false).named('not reconnected'), lost().wait(100).began(2).named('far sooner'), lost().wait(5_000).began(2).named('far later')],
    mustPass: [lost().wait(501).began(2).named('as stated'), lost().wait(1_200).began(2, 600).named('a slow machine')],
    mustDoubt: [healthy('plain').named('nothing was lost'), lost().named('nobody waited')],
  },
  {
    check: 'CONFIG-015/every-request',
    mustFail: [
      remote({ get: {} }).named('not with the event stream'), remote({ gone: { authorization: OWN.authorization } }).named('one is missing at the end'),
      request(remote({}), OWN, { method: 'GET', server: 'elsewhere' }).named('taken to another origin'),
    ],
    mustPass: [remote({}).named('everywhere'), request(remote({}), { accept: 'text/event-stream' }, { method: 'GET', server: 'elsewhere' }).named('a redirect followed without them')],
    mustDoubt: [history().step('open', ['remote']).named('no request came')],
  },
  {
    check: 'CONFIG-015/protocol-headers',
    mustFail: [
      remote({ post: { 'mcp-session-id': 'forged' } }).named('a forged session'), remote({ post: { accept: 'text/plain' } }).named('another accept'), remote({ post: { 'content-type': 'text/plain' } }).named('another content type'),
      remote({ get: { 'mcp-protocol-version': '1999-01-01' } }).named('another revision at the event stream'), remote({ post: { 'mcp-session-id': '' } }).named('no session any more'),
    ],
    mustPass: [
      remote({}).named("the protocol's own"), remote({ post: { accept: 'Text/Event-Stream, Application/JSON', 'content-type': 'Application/JSON; charset=utf-8' } }).named('in capitals, and with a parameter'),
      history().step('open', [{ name: 'remote', status: 'rejected', message: 'accept belongs to the protocol' }]).named('the entry is refused'),
    ],
    mustDoubt: [history().step('open', ['remote']).named('no request came')],
  },
];

/** Histories of plain conversations: what was said to a server, in which order, on which lines. */
import { history, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { offeredBarrier } from '../../../src/checks/support/facts.ts';
import { echo } from '../echo.ts';
import { WebStory } from '../http/web.ts';

const SERVER = 'plain';
const PARAMS = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a bridge', version: '1' } };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

const said = (builder: HistoryBuilder, ...messages: readonly object[]): HistoryBuilder => messages.reduce((all: HistoryBuilder, message) => all.received(SERVER, message), builder);
const hello = (params: object = PARAMS, builder = history(), incarnation = 1): HistoryBuilder => builder.received(SERVER, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, incarnation);
const welcomed = (builder: HistoryBuilder, incarnation = 1): HistoryBuilder =>
  builder.sent(SERVER, { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: {} } }, incarnation);
const ready = (builder = history()): HistoryBuilder => said(welcomed(hello(PARAMS, builder)), INITIALIZED);

const ping = (id: unknown): object => ({ jsonrpc: '2.0', id, method: 'ping' });
const call = (id: unknown, more: object = {}, name = 'lane'): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...more } });
const answer = (builder: HistoryBuilder, id: unknown): HistoryBuilder => builder.sent(SERVER, { jsonrpc: '2.0', id, result: { content: [] } });
const token = (progressToken: unknown): object => ({ _meta: { progressToken } });
/** A line as it is. */
const line = (builder: HistoryBuilder, raw: string, message?: unknown): HistoryBuilder =>
  builder.record(SERVER, { kind: 'frame', direction: 'client-to-server', raw, bytes: raw.length, ...(message === undefined ? {} : { message }) });

/** A session over HTTP: a handshake without its end, unless it is ended. */
function session(id: string, isEnded = true, story = new WebStory(SERVER)): WebStory {
  story.request('POST', { status: 200, message: { jsonrpc: '2.0', id: 0, method: 'initialize', params: PARAMS } }).with((builder) => builder.record(SERVER, { kind: 'process', event: 'session', session: id }));
  const message = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } };
  const exchange = exchangeOf(story);
  story.with((builder) => builder.record(SERVER, { kind: 'frame', direction: 'server-to-client', raw: JSON.stringify(message), bytes: 1, session: id, message, http: { method: 'POST', exchange } }));
  return isEnded ? ended(story, id) : story;
}
const ended = (story: WebStory, id: string): WebStory => story.request('POST', { session: id, status: 202, message: INITIALIZED });
/** A frame as a recorder tells it, which counts no exchanges. */
const recordedFrame = (direction: 'client-to-server' | 'server-to-client', message: object, named?: string): Parameters<HistoryBuilder['record']>[1] =>
  ({ kind: 'frame', direction, raw: JSON.stringify(message), bytes: 1, message, http: { method: 'POST' }, ...(named === undefined ? {} : { session: named }) });
const recorded = (): HistoryBuilder => history()
  .record(SERVER, recordedFrame('client-to-server', { jsonrpc: '2.0', id: 0, method: 'initialize', params: PARAMS })).record(SERVER, recordedFrame('server-to-client', { jsonrpc: '2.0', id: 0, result: {} }, 'one'))
  .record(SERVER, recordedFrame('client-to-server', INITIALIZED, 'one')).record(SERVER, recordedFrame('client-to-server', LIST, 'one'));
const exchangeOf = (story: WebStory): number =>
  story.named('').history.flatMap((event) => (event.kind === 'wire' && event.record.kind === 'frame' ? event.record.http?.exchange ?? [] : [])).at(-1) ?? 0;
const listed = (story: WebStory, id: string): WebStory => story.request('POST', { session: id, status: 200, message: LIST });
const calledOver = (story: WebStory, id: string, message: object): WebStory => story.request('POST', { session: id, status: 200, message });
/** A call in a session, and its answer. */
const answeredOver = (story: WebStory, named: string, id: unknown): WebStory => calledOver(story, named, call(id)).with((builder) => builder.record(SERVER, recordedFrame('server-to-client', { jsonrpc: '2.0', id, result: { content: [] } }, named)));
const DISCOVER = { jsonrpc: '2.0', id: 'probe', method: 'server/discover', params: {} };
const NEWER = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

const handshakes: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    said(welcomed(hello()), LIST).named('the list is asked for, and nothing ended the handshake'), said(welcomed(hello()), LIST, INITIALIZED).named('the handshake ends after the list was asked for'),
    said(welcomed(said(hello(), INITIALIZED)), LIST).named('the handshake ends before it was answered'), said(said(hello(), LIST), INITIALIZED).named('nothing was answered, and the list is asked for'),
    said(history(), LIST).named('there is no handshake'), said(welcomed(hello({ ...PARAMS, clientInfo: undefined })), INITIALIZED, LIST).named('no clientInfo'),
    said(welcomed(hello({ ...PARAMS, clientInfo: { name: 'a bridge' } })), INITIALIZED, LIST).named('a client without a version'), said(welcomed(hello({ ...PARAMS, capabilities: undefined })), INITIALIZED, LIST).named('no capabilities'),
    said(welcomed(hello({ capabilities: {}, clientInfo: PARAMS.clientInfo })), INITIALIZED, LIST).named('no revision'),
    welcomed(hello(PARAMS, said(ready(), LIST), 2), 2).received(SERVER, LIST, 2).named('the second process gets no end of the handshake'),
    listed(session('one', false), 'one').named('over HTTP nothing ended the handshake'), listed(session('two', false, listed(session('one'), 'one')), 'two').named('over HTTP the second session gets no end of the handshake'),
    ended(listed(session('one', false), 'one').wait(150), 'one').named('over HTTP the handshake ends long after the list was asked for'),
    ended(listed(session('two', false, session('one')), 'two'), 'one').named('over HTTP the handshake ends in another session'),
  ],
  mustPass: [
    said(ready(), LIST).named('as it should be'), said(ready(said(history(), ping('early'))), ping('p'), LIST).named('pings before and after'),
    said(welcomed(said(hello(), ping('within'))), ping('again'), INITIALIZED, LIST).named('pings within the handshake'),
    ready(said(history(), DISCOVER).sent(SERVER, { jsonrpc: '2.0', id: 'probe', error: { code: -32601, message: 'no' } })).received(SERVER, LIST).named('a word of another era first, in the same process'),
    said(ready(said(history(), { ...LIST, id: 'x', params: NEWER }).sent(SERVER, { jsonrpc: '2.0', id: 'x', error: { code: -32602, message: 'no' } })), LIST).named('a request of another era first'),
    said(ready().received(SERVER, DISCOVER, 2), LIST).named('a process of its own for a word of another era'),
    said(ready().sent(SERVER, ping('from the server')), { jsonrpc: '2.0', id: 'from the server', result: {} }, LIST).named('an answer to the server'),
    said(said(welcomed(hello(PARAMS, hello({ ...PARAMS, protocolVersion: '2026-07-28' }).sent(SERVER, { jsonrpc: '2.0', id: 0, error: { code: -32602, message: 'unsupported' } }))), INITIALIZED), LIST).named('a second try in an older revision'),
    said(ready(hello()), LIST).named('a handshake that is said again, as it was not answered'),
    welcomed(hello(PARAMS, said(ready(), LIST), 2), 2).named('a process that is left after the handshake'),
    ended(listed(session('one', false), 'one'), 'one').named('over HTTP the list passes the end of the handshake on the way'),
    listed(session('two', true, session('one')), 'one').request('POST', { session: 'gone', status: 404, message: LIST }).named('two sessions at once, and a request that names one that is over'),
    recorded().named('over HTTP, as a recorder tells it'),
    listed(session('one', true, new WebStory(SERVER).request('POST', { status: 400, message: DISCOVER })), 'one').named('over HTTP a word of another era first'),
  ],
  mustDoubt: [welcomed(hello()).named('a handshake and nothing more'), said(history(), DISCOVER).named('only a word of another era')],
};

/** A server that answers in a revision nobody knows, and what follows. */
const fromAnotherTime = (): HistoryBuilder => hello().sent(SERVER, { jsonrpc: '2.0', id: 0, result: { protocolVersion: '1999-01-01' } });
const LEFT = 'the server is left';
const openedBadly = (builder: HistoryBuilder): HistoryBuilder => builder.step('open', [{ name: SERVER, status: 'degraded', message: '1999-01-01' }]);
const cancelled = (requestId: unknown): object => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

const ids: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    said(answer(said(ready(), LIST), 1), call(1)).named('the id of an answered request again'), said(ready(), LIST, call(0)).named('the id of the handshake again'), said(ready(), call('a'), call('a')).named('two calls in flight with one id'),
    said(ready(), call(null)).named('null'), answeredOver(answeredOver(session('one'), 'one', 0), 'one', 0).named('over HTTP one id for everything'), said(ready(), call(1.5)).named('half a number'), said(ready(), call({ n: 1 })).named('an object'),
  ],
  mustPass: [
    said(ready(), call('1'), call(1), call(-1), call(2 ** 40)).named('texts and numbers side by side, below zero and large'), said(ready(), call('0'), call(7), call(3)).named('in no order'),
    said(hello(PARAMS, said(ready(), LIST, call(2)), 2), ping(9)).received(SERVER, LIST, 2).named('the ids of an earlier process'),
    said(ready().sent(SERVER, ping(1)), { jsonrpc: '2.0', id: 1, result: {} }, LIST, call(2)).named("the id of a server's request, answered and used by the client too"),
    listed(session('two', true, listed(session('one'), 'one').request('POST', { session: 'one', status: 200, message: call(2) })), 'two').named('the ids of an earlier session'),
  ],
  mustDoubt: [hello().named('a handshake alone')],
};

const tokens: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    said(ready(), call(1, token(7)), call(2, token(7))).named('one token for two calls'), said(ready(), call(1, token(null))).named('null'), calledOver(calledOver(session('one'), 'one', call(1, token(7))), 'one', call(2, token(7))).named('over HTTP one token for two calls'),
    said(ready(), call(1, token(0.5))).named('half a number'), said(ready(), call(1, token(7)), call(2, token(8)), cancelled(2), call(3, token(7))).named('a token again, after another call was given up'),
  ],
  mustPass: [
    said(ready(), call(1, token(7)), call(2, token('7'))).named('a number and the same digits as a text'), said(answer(said(ready(), call(1, token(7)), call(2, token(8))), 1), call(3, token(7))).named('a token again, after its call was answered'),
    said(ready(), call(1, token(1)), call(2), call(3, token(2))).named('one call asks for no progress'),
    said(ready(), call(1, token(7)), cancelled(1), call(2, token(7)), call(3, token(8))).named('a token again, after its call was given up'),
    calledOver(calledOver(calledOver(session('two', true, session('one')), 'one', call(1, token(7))), 'two', call(1, token(7))), 'one', call(2, token(8))).named('the token of a call in another session'),
  ],
  mustDoubt: [said(answer(said(ready(), call(1, token(7))), 1), call(2, token(7))).named('one after the other')],
};

/** A handshake in which the server and the client have these capabilities, by these words of the client. */
const having = (theirs: object, own: object = {}, revision = '2025-11-25'): HistoryBuilder =>
  said(hello({ ...PARAMS, capabilities: own }).sent(SERVER, { jsonrpc: '2.0', id: 0, result: { protocolVersion: revision, capabilities: theirs, serverInfo: {} } }), INITIALIZED, LIST);
const asking = (method: string, id: unknown = 9): object => ({ jsonrpc: '2.0', id, method });
const ROOTS_CHANGED = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };

const negotiated: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    said(having({ tools: {} }), asking('logging/setLevel')).named('a level, without logging'), said(having({ tools: {} }), asking('prompts/list')).named('prompts'), said(having({ resources: {} }), asking('resources/subscribe')).named('a subscription, where there is none'),
    said(having({ prompts: {} }), asking('completion/complete')).named('a completion'), said(having({ tasks: {} }), asking('tasks/list')).named('a list of tasks, where there is none'), said(having({ resources: null }), asking('resources/list')).named('null is no capability'),
    said(having({ tools: {} }), ROOTS_CHANGED).named('roots that were not declared'), said(having({ roots: { listChanged: true } }, { roots: {} }), ROOTS_CHANGED).named('roots that do not change'),
    said(welcomed(hello(PARAMS, said(having({ prompts: {} }), asking('prompts/list')), 2), 2)).received(SERVER, asking('prompts/list'), 2).named('another process declares less'),
    calledOver(listed(session('one'), 'one'), 'one', asking('logging/setLevel')).named('a level over HTTP'),
  ],
  mustPass: [
    having({}).named('a list of tools, which the server forgot to declare'), said(having({ logging: {}, prompts: {}, resources: { subscribe: true }, completions: {}, tasks: { list: {}, cancel: {} } }), ...['logging/setLevel', 'prompts/get', 'resources/subscribe', 'completion/complete', 'tasks/list', 'tasks/get'].map(asking)).named('all of it declared'),
    said(having({ prompts: {} }, {}, '2024-11-05'), asking('completion/complete')).named('a completion in a revision in which no server says so'), said(having({}, { roots: { listChanged: true } }), ROOTS_CHANGED).named('roots that were declared'),
    said(having({}), asking('vendor/logging')).named('a method of nobody'), said(ready(said(history(), asking('logging/setLevel'))), LIST).named('asked before the handshake: another matter'),
    listed(session('one'), 'one').named('over HTTP'),
  ],
  mustDoubt: [ready().named('a handshake alone'), hello().named('no answer to it'), said(ready(), ping(4)).named('only a ping')],
};

const TASKS = { tasks: { requests: { tools: { call: {} } } } };
/** A server without tasks, whose tools speak of them. */
const TASKLESS = (): HistoryBuilder => history().page('taskless', [{ name: 'may-be-a-task', execution: { taskSupport: 'optional' } }, { name: 'must-not-be-a-task', execution: { taskSupport: 'forbidden' } }]);
const bothCalled = (then: (builder: HistoryBuilder) => HistoryBuilder = (builder) => builder): HistoryBuilder => then(echo(echo(TASKLESS(), 'taskless', 'may-be-a-task'), 'taskless', 'must-not-be-a-task'));

/** What the judges of plain conversations must refuse and must let pass. */
export const conversationHistories: readonly JudgeHistories[] = [
  { check: 'WIRE-026/over-stdio', ...handshakes },
  { check: 'WIRE-026/over-http', ...handshakes },
  { check: 'WIRE-027/over-stdio', ...ids },
  { check: 'WIRE-027/over-http', ...ids },
  {
    check: 'WIRE-029/over-stdio',
    mustFail: [
      line(said(ready(), LIST), '').named('a blank line'), line(said(ready(), LIST), 'bye').named('a word'), line(ready(), '{"jsonrpc":"2.0",').named('half a message'), said(ready(), { ...LIST, params: null }).named('null for params'),
      said(ready(), { id: 1, method: 'tools/list' }).named('no word of JSON-RPC'), line(ready(), JSON.stringify([LIST]), [LIST]).named('several in one line, in a revision that has no such thing'),
      said(ready(), { jsonrpc: '2.0', id: 'p', result: {}, error: {} }).named('result and error at once'), said(ready(), { jsonrpc: '2.0', id: 'p' }).named('neither result nor error'), line(ready(), '"text"', 'text').named('JSON that is no message'),
    ],
    mustPass: [
      said(ready(), { ...LIST, params: {} }, { jsonrpc: '2.0', id: 'p', result: {} }, { jsonrpc: '2.0', id: 'q', error: { code: -32601, message: 'no' } }, { ...INITIALIZED, extra: true }).named('messages of each kind'),
      line(said(hello({ ...PARAMS, protocolVersion: '2025-03-26' }).sent(SERVER, { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-03-26' } }), INITIALIZED), JSON.stringify([LIST]), [LIST]).named('several in one line, in the revision that has it'),
      line(said(ready(), LIST), 'x'.repeat(1_048_576)).named('a line that the trace cut'),
    ],
    mustDoubt: [hello().named('a handshake alone')],
  },
  { check: 'WIRE-031/two-at-once', ...tokens },
  { check: 'WIRE-031/over-http', ...tokens },
  { check: 'WIRE-049/over-stdio', ...negotiated },
  { check: 'WIRE-049/over-http', ...negotiated },
  {
    check: 'WIRE-032/plain-tools',
    mustFail: [
      said(ready().page(SERVER, [{ name: 'lane' }]), call(8, { task: {} })).named('a plain tool'), said(ready().page(SERVER, [{ name: 'lane', execution: { taskSupport: 'forbidden' } }]), call(8, { task: { ttl: 1 } })).named('a tool that forbids it'),
      said(ready(), call(8, { task: null })).named('null'), said(ready().page(SERVER, [{ name: 'lane', execution: { taskSupport: 'optional' } }]), call(8, { task: {} })).named('a tool that offers it, of a server that has no tasks'),
      said(having({ tasks: { requests: {} } }).page(SERVER, [{ name: 'lane', execution: { taskSupport: 'required' } }]), call(8, { task: {} })).named('a server that has tasks for something else'),
    ],
    mustPass: [
      said(ready().page(SERVER, [{ name: 'lane' }]), call(8), call(9, { arguments: { task: 'mine' } })).named('an argument of that name'),
      said(having(TASKS).page(SERVER, [{ name: 'lane', execution: { taskSupport: 'optional' } }]), call(8, { task: {} })).named('a tool that offers it, of a server that has tasks'),
    ],
    mustDoubt: [ready().named('no call')],
  },
  {
    check: 'WIRE-032/may-and-must-not',
    mustFail: [
      bothCalled((builder) => said(builder, call(70, { task: {} }, 'may-be-a-task'))).named('one is called as a task'), bothCalled((builder) => builder.unreached('p_may', 'taskless', 'may-be-a-task')).named('one is refused'),
      TASKLESS().call('p_must', 'taskless', 'must-not-be-a-task', 'must-not-be-a-task', { outcome: 'failed' }).named('one fails'),
      TASKLESS().registry([]).barrier(offeredBarrier('taskless', 'may-be-a-task'), false).named('they are not offered'),
    ],
    mustPass: [bothCalled().named('both are called'), bothCalled((builder) => echo(builder, 'taskless', 'may-be-a-task')).named('one is called twice')],
    mustDoubt: [history().named('nothing was called'), echo(TASKLESS(), 'taskless', 'may-be-a-task').named('one was not called')],
  },
  {
    check: 'WIRE-028/unknown-revision',
    mustFail: [
      openedBadly(said(fromAnotherTime(), INITIALIZED, LIST)).barrier(LEFT).named('its list is asked for'), openedBadly(fromAnotherTime()).barrier(LEFT, false).named('it is not left'),
      said(openedBadly(fromAnotherTime()).barrier(LEFT), call(5)).named('it is called later'),
    ],
    mustPass: [
      openedBadly(fromAnotherTime()).barrier(LEFT).named('it is left'), openedBadly(said(fromAnotherTime(), ping('p'))).barrier(LEFT).named('a last ping'),
      openedBadly(said(welcomed(hello(PARAMS, fromAnotherTime().received(SERVER, DISCOVER, 2), 3), 3).received(SERVER, INITIALIZED, 3).received(SERVER, LIST, 3))).barrier(LEFT).named('another process of it speaks a known one'),
    ],
    mustDoubt: [openedBadly(hello()).barrier(LEFT).named('no answer'), openedBadly(fromAnotherTime()).named('nobody waited')],
  },
  {
    check: 'WIRE-030/never-answered',
    mustFail: [openedBadly(said(hello(), cancelled(0))).named('cancelled when it is given up'), openedBadly(said(hello(), cancelled(0), ping(1))).named('cancelled, and the connection goes on')],
    mustPass: [
      openedBadly(hello()).named('given up'), openedBadly(said(hello(), ping('p'), cancelled('p'))).named('a ping within it is cancelled'),
      openedBadly(said(hello(), cancelled('0'))).named('something else is cancelled, by a text of the same digit'), openedBadly(said(hello(PARAMS, said(ready(), call(5), cancelled(5)), 2))).named('a call to an earlier process is cancelled'),
    ],
    mustDoubt: [openedBadly(ready()).named('it was answered'), hello().named('opening never settled')],
  },
];

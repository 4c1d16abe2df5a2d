/** Floods of log lines, hundreds of calls, lists that are too large. */
import { mark } from '../../../src/bench/bench.ts';
import type { ServerReply, SubjectDescription } from '../../../src/adapter/messages.ts';
import { history, offered, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { UNWRITABLE } from '../../../src/adapter/writable.ts';
import { echo, echoOf } from '../echo.ts';

const flooded = (): HistoryBuilder => history().fault('talkative', 'on-spawn', 'stderr').step('open', ['talkative']);
const asked = (builder: HistoryBuilder): HistoryBuilder => builder.asked({ callId: 'l', name: 'p_loud', arguments: { probe: 'l' } }, { server: 'talkative', rawName: 'loud' });
const received = (builder: HistoryBuilder): HistoryBuilder => asked(builder).received('talkative', { jsonrpc: '2.0', id: 'l', method: 'tools/call', params: { name: 'loud', arguments: { probe: 'l' } } });

interface Calls {
  readonly count?: number;
  /** Milliseconds of the n-th. */
  readonly tookMs?: (n: number) => number;
  /** Other messages with the n-th. */
  readonly more?: (n: number) => number;
  readonly cancellations?: number;
}

/** Hundreds of calls, and one that is cancelled. */
function calls({ count = 200, tookMs = () => 2, more = () => 0, cancellations = 1 }: Calls = {}): HistoryBuilder {
  const builder = history().step('open', ['tireless']);
  for (let n = 0; n < count; n += 1) {
    const callId = `c-${n}`;
    builder.asked({ callId, name: 'p_steady', arguments: { probe: callId } }, { server: 'tireless', rawName: 'steady' });
    for (let at = 0; at < more(n); at += 1) builder.received('tireless', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } });
    builder.wait(tookMs(n)).wireCall('tireless', 'steady', { probe: callId }, { content: [echoOf(callId)] }).outcome(callId, { view: [echoOf(callId)] });
  }
  builder.asked({ callId: 'h', name: 'p_held', arguments: { probe: 'h' } }, { server: 'tireless', rawName: 'held' })
    .received('tireless', { jsonrpc: '2.0', id: 'h', method: 'tools/call', params: { name: 'held', arguments: { probe: 'h' } } }).event({ kind: 'cancel', callId: 'h' });
  for (let at = 0; at < cancellations; at += 1) builder.received('tireless', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: at === 0 ? 'h' : at } });
  return builder.outcome('h', { outcome: 'aborted', view: [] });
}

const LIMIT = 37;
const toolsOf = (server: string, count: number): ReturnType<typeof offered>[] => Array.from({ length: count }, (_, at) => offered(`p_${server}_${at}`, `A tool. ${mark(server, `${server}-${at}`)}`));

interface Large {
  readonly status?: ServerReply['status'];
  readonly message?: string;
  readonly large?: number;
  readonly fitting?: number;
  readonly subject?: Partial<SubjectDescription>;
}

/** One list that is too large, one that just fits. */
function large({ status = 'degraded', message = `it lists more than maxTools (${LIMIT})`, large: ofLarge = 0, fitting = LIMIT, subject = {} }: Large = {}): HistoryBuilder {
  return history(subject).page('abundant', Array.from({ length: 10 }, (_, at) => ({ name: `abundant-${at}` })))
    .step('open', [{ name: 'abundant', status, message }, 'fitting']).registry([...toolsOf('abundant', ofLarge), ...toolsOf('fitting', fitting)]);
}

const DEEP_LIST = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"abyss","inputSchema":{"properties":${'{"a":'.repeat(20)}{}${'}'.repeat(20)}}}]}}`;

interface Deep {
  readonly abyss?: unknown;
  readonly reply?: ServerReply;
  readonly lost?: readonly string[];
  /** Who else is open. */
  readonly beside?: boolean;
  readonly subject?: Partial<SubjectDescription>;
}

/** A list with a schema that nobody can write, and the calls of what stands beside it. */
function deep({ abyss = { type: 'object' }, reply = { name: 'bottomless', status: 'ready' }, lost = [], beside = true, subject = {} }: Deep = {}): HistoryBuilder {
  const builder = history(subject).record('bottomless', { kind: 'frame', direction: 'server-to-client', raw: DEEP_LIST, bytes: DEEP_LIST.length })
    .step('open', beside ? ['shallow', reply] : [reply]).registry([offered('p_abyss', 'Deep.', abyss), offered('p_steady')]);
  for (const [server, name] of [['bottomless', 'steady'], ['bottomless', 'shore'], ['shallow', 'puddle']] as const) {
    if (!lost.includes(name) && (beside || server !== 'shallow')) echo(builder, server, name);
  }
  return builder;
}

const REFUSED: ServerReply = { name: 'bottomless', status: 'degraded', message: 'its list nests too deep' };

const crumbs = (): HistoryBuilder => history().step('open', ['crumbly']).asked({ callId: 'c', name: 'p_crumbs', arguments: { probe: 'c' } }, { server: 'crumbly', rawName: 'crumbs' });
const sentCrumbs = (): HistoryBuilder => crumbs().fault('crumbly', 'on-crumbs', 'oversize');

/** What the judges of bounds must refuse and must let pass. */
export const boundHistories: readonly JudgeHistories[] = [
  {
    check: 'WIRE-023/lines-without-end',
    mustFail: [
      received(flooded()).named('kept from answering'), received(flooded()).sent('talkative', { jsonrpc: '2.0', id: 'l', result: { content: [echoOf('l')] } }).outcome('l', { outcome: 'failed', view: [] }).named('its answer is lost'),
      received(flooded()).sent('talkative', { jsonrpc: '2.0', id: 'l', result: { content: [echoOf('l')] } }).outcome('l', { view: [echoOf('l')] }).named('nothing goes through afterwards'),
    ],
    mustPass: [
      echo(received(flooded()).sent('talkative', { jsonrpc: '2.0', id: 'l', result: { content: [echoOf('l')] } }).outcome('l', { view: [echoOf('l')] }), 'talkative', 'steady').named('answered'),
      echo(received(flooded().log('info', 'a line that nobody asked for (and 1999 more)', 'talkative')).wait(4_000).sent('talkative', { jsonrpc: '2.0', id: 'l', result: { content: [echoOf('l')] } }).outcome('l', { view: [{ type: 'text', text: 'loud says:' }, echoOf('l')] }), 'talkative', 'steady')
        .named('the lines are told in short, and the answer comes late'),
      echo(echo(received(echo(flooded(), 'talkative', 'steady')).sent('talkative', { jsonrpc: '2.0', id: 'l', result: { content: [echoOf('l')] } }).outcome('l', { view: [echoOf('l')] }), 'talkative', 'steady'), 'talkative', 'steady')
        .named('other calls around it'),
    ],
    mustDoubt: [history().step('open', ['talkative']).named('nothing was logged'), asked(flooded()).named('the call was not sent')],
  },
  {
    check: 'CALL-036/hundreds-of-calls',
    mustFail: [calls({ tookMs: (n) => n }).named('slower each time'), calls({ more: (n) => (n > 100 ? 2 : 0) }).named('more messages each time'), calls({ cancellations: 200 }).named('all are cancelled with the last')],
    mustPass: [calls().named('all the same'), calls({ tookMs: (n) => 20 - n / 20 }).named('quicker each time'), calls({ tookMs: (n) => (n % 7 === 0 ? 40 : 3) }).named('a busy machine'), calls({ cancellations: 0 }).named('no word of the cancellation, which others judge')],
    mustDoubt: [calls({ count: 90 }).named('too few'), history().named('no call')],
  },
  {
    check: 'DISCOVERY-012/too-many-tools',
    mustFail: [
      large({ large: LIMIT }).named('as many as fit are registered'), large({ large: 38, status: 'ready' }).named('all are registered'), large({ status: 'ready' }).named('said to be ready'),
      large({ message: 'it lists too many' }).named('the limit is not said'), large({ fitting: 36 }).named('one less than allowed'), large({ fitting: 0 }).named('as many as allowed are refused'),
    ],
    mustPass: [large().named('refused whole'), large({ status: 'rejected' }).named('rejected'), large({ status: 'ready', subject: { registry: 'pull' } }).named('ready before anything was listed, refused at the look')],
    mustDoubt: [history().step('open', ['abundant']).named('nothing was listed')],
  },
  {
    check: 'DISCOVERY-013/too-deep',
    mustFail: [
      deep({ abyss: UNWRITABLE }).named('the schema is offered and cannot be written'), deep({ lost: ['shore'] }).named('the tool behind it is lost'), deep({ lost: ['steady', 'shore'] }).named('both siblings are lost, and all is said to be well'),
      deep({ lost: ['steady', 'shore'], reply: { name: 'bottomless', status: 'degraded' } }).named('the list is refused without a word'), deep({ lost: ['puddle'] }).named("another server's tool is lost"),
      deep({ lost: ['steady', 'shore', 'puddle'], reply: REFUSED }).named('refused, with every tool of the others'), deep({ lost: ['steady'], reply: REFUSED }).named('half refused'),
    ],
    mustPass: [
      deep().named('another schema is shown'), deep({ abyss: true }).named('a schema that is no object'), deep({ lost: ['steady', 'shore'], reply: REFUSED }).named('refused whole, with a reason'),
      deep({ lost: ['steady', 'shore'], reply: { ...REFUSED, status: 'ready' }, subject: { registry: 'pull' } }).named('ready before anything was listed, refused whole at the look'),
      deep({ beside: false }).named('a bridge to one server'),
    ],
    mustDoubt: [history().step('open', ['bottomless', 'shallow']).registry([]).named('nothing deep was listed'), history().named('nothing was opened')],
  },
  {
    check: 'CALL-037/tiny-blocks',
    mustFail: [
      sentCrumbs().named('never settled'), echo(sentCrumbs().outcome('c', { view: [] }), 'crumbly', 'steady').named('not a word'), sentCrumbs().outcome('c').named('no call afterwards'),
      echo(history().step('open', ['crumbly']), 'crumbly', 'steady').asked({ callId: 'c', name: 'p_crumbs', arguments: { probe: 'c' } }, { server: 'crumbly', rawName: 'crumbs' })
        .fault('crumbly', 'on-crumbs', 'oversize').outcome('c').named('a call before works, and none afterwards'),
    ],
    mustPass: [
      echo(sentCrumbs().outcome('c', { view: [{ type: 'text', text: '[cut here]' }] }), 'crumbly', 'steady').named('shown in part'),
      echo(sentCrumbs().outcome('c', { outcome: 'failed', view: [], message: 'more than maxMessageValues' }), 'crumbly', 'steady').named('refused'),
      echo(sentCrumbs().outcome('c', { outcome: 'failed', executed: 'unknown', view: [], message: 'more than 1 MiB, the connection was given up' }).unreached('p_steady', 'crumbly', 'steady').barrier('the server is ready again'), 'crumbly', 'steady')
        .named('the connection is given up, and comes back'),
    ],
    mustDoubt: [history().step('open', ['crumbly']).named('no call'), echo(crumbs().outcome('c'), 'crumbly', 'steady').named('the result was not sent')],
  },
];

/** Messages above a limit of the entry, over HTTP and in lists. */
import { mark } from '../../../src/bench/bench.ts';
import type { CallReply, ServerReply } from '../../../src/adapter/messages.ts';
import { history, offered, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';

const SAID = 'more than maxMessageBytes (200000)';

interface Sizes {
  readonly large?: Partial<CallReply>;
  /** `undefined`: it never settles. */
  readonly huge?: Partial<CallReply> | undefined;
  readonly after?: boolean;
  readonly forms?: readonly string[];
}

/** For each form an answer below the limit, one above it, a call afterwards; what is odd is odd in the last one. */
function sizes({ large = {}, after = true, forms = ['event-stream', 'json'], ...rest }: Sizes = {}): HistoryBuilder {
  const builder = history().step('open', ['wordy']);
  const odd = 'huge' in rest ? rest.huge : {};
  for (const form of forms) {
    const isLast = form === forms.at(-1);
    const ask = (name: string): HistoryBuilder => builder.asked({ callId: name, name: `p_${name}`, arguments: { probe: name } }, { server: 'wordy', rawName: name })
      .received('wordy', { jsonrpc: '2.0', id: builder.nextId(), method: 'tools/call', params: { name, arguments: { probe: name } } }).fault('wordy', `on-${name}`, 'oversize');
    ask(`large-${form}`).outcome(`large-${form}`, isLast ? large : {});
    ask(`huge-${form}`);
    const ended = isLast ? odd : {};
    if (ended !== undefined) builder.outcome(`huge-${form}`, { outcome: 'failed', view: [], message: SAID, ...ended });
    if (after || !isLast) echo(builder, 'wordy', 'steady');
    else builder.call('p_steady', 'wordy', 'steady', 'steady', { outcome: 'failed' });
  }
  return builder;
}

interface Lists {
  readonly server?: string;
  readonly reply?: Omit<ServerReply, 'name'>;
  readonly shown?: readonly string[];
  readonly bytes?: number;
  readonly log?: string;
}

/** A list with a page above the limit, beside one without. */
function lists({ server = 'json', reply = { status: 'degraded', message: SAID }, shown = ['plain-of-fitting', 'bulky-of-fitting'], bytes = 300_000, log }: Lists = {}): HistoryBuilder {
  const builder = history().page(server, [{ name: `plain-of-${server}` }], { nextCursor: '2' })
    .record(server, { kind: 'frame', direction: 'server-to-client', raw: '{}', bytes, message: { jsonrpc: '2.0', id: 9, result: { tools: [] } } });
  builder.page('fitting', [{ name: 'plain-of-fitting' }, { name: 'bulky-of-fitting' }]).step('open', [{ name: server, ...reply }, 'fitting']);
  if (log !== undefined) builder.log('error', log, server);
  return builder.registry(shown.map((name) => offered(`p_${name}`, mark(name.slice(name.lastIndexOf('of-') + 3), name))));
}

const listHistories = (check: string): JudgeHistories => ({
  check,
  mustFail: [
    lists({ shown: ['plain-of-json', 'plain-of-fitting', 'bulky-of-fitting'] }).named('the page before it is offered'), lists({ shown: ['plain-of-json', 'bulky-of-json', 'plain-of-fitting', 'bulky-of-fitting'] }).named('no limit'),
    lists({ reply: { status: 'degraded', message: 'the list failed' } }).named('no word of the limit'), lists({ shown: ['plain-of-fitting'] }).named('a list below the limit is not offered whole'),
  ],
  mustPass: [
    lists().named('refused, with the reason'), lists({ reply: { status: 'rejected', message: 'a message of more than 200,000 bytes' } }).named('the number alone'),
    lists({ reply: { status: 'ready' }, log: SAID }).named('listed at the first look, and then said in a line of the log'), lists({ server: 'lines' }).named('by another carrier'),
  ],
  mustDoubt: [lists({ bytes: 100 }).named('no page was above the limit'), history().named('nothing was opened')],
});

/** What the judges of messages above a limit must refuse and must let pass. */
export const webOversizeHistories: readonly JudgeHistories[] = [
  {
    check: 'WIRE-045/answers',
    mustFail: [
      sizes({ huge: { outcome: 'ok' } }).named('above the limit, and delivered'), sizes({ huge: undefined }).named('above the limit, and never settled'), sizes({ large: { outcome: 'failed' } }).named('below the limit, and failed'),
      sizes({ huge: { message: 'connection closed' } }).named('no word of the limit'), sizes({ after: false }).named('nothing goes through afterwards'),
      sizes({ forms: ['json', 'event-stream'], huge: { outcome: 'ok' } }).named('an event above the limit is delivered'),
    ],
    mustPass: [sizes().named('both fail with the reason'), sizes({ huge: { executed: 'unknown', view: [{ type: 'text', text: 'larger than 200 000 bytes' }], message: '' } }).named('the number alone')],
    mustDoubt: [history().step('open', ['wordy']).named('no call'), sizes({ forms: ['json'] }).named('JSON alone')],
  },
  listHistories('WIRE-046/over-stdio'),
  listHistories('WIRE-046/over-http'),
];

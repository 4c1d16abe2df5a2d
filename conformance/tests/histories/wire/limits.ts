import type { CallReply, ServerReply } from '../../../src/adapter/messages.ts';
import { history, offered, type HistoryBuilder, type JudgeHistories } from '../builder.ts';
import { echo } from '../echo.ts';

const OLDER = { 'of-june-2025': '2025-06-18', 'of-march-2025': '2025-03-26', 'of-2024': '2024-11-05' };

interface Years {
  readonly old?: ServerReply['status'];
  readonly unknown?: ServerReply['status'];
  readonly message?: string;
  readonly deaf?: boolean;
}

/** Servers of three earlier revisions, and one of a revision that nobody knows. */
function years({ old = 'ready', unknown = 'degraded', message = 'revision "1999-01-01" is not supported', deaf = false }: Years = {}): HistoryBuilder {
  const builder = history();
  for (const [name, protocolVersion] of Object.entries({ ...OLDER, 'of-another-time': '1999-01-01' })) {
    const id = builder.nextId();
    builder.received(name, { jsonrpc: '2.0', id, method: 'initialize' }).sent(name, { jsonrpc: '2.0', id, result: { protocolVersion, capabilities: {}, serverInfo: {} } });
  }
  builder.step('open', [...Object.keys(OLDER).map((name) => ({ name, status: name === 'of-june-2025' ? old : 'ready' }) as const), { name: 'of-another-time', status: unknown, message }]);
  builder.registry([offered('p_steady')]);
  for (const name of Object.keys(OLDER)) {
    if (deaf && name === 'of-march-2025') builder.call('p_steady', name, 'steady', 'steady', { outcome: 'failed' });
    else echo(builder, name, 'steady');
  }
  return builder;
}

interface Sizes {
  readonly large?: Partial<CallReply>;
  readonly huge?: Partial<CallReply>;
  readonly settles?: boolean;
  readonly after?: 'ok' | 'failed';
}

/** An answer below the limit, one above it, a call afterwards. */
function sizes({ large = {}, huge = { outcome: 'failed', view: [], message: 'more than maxMessageBytes (200000)' }, settles = true, after = 'ok' }: Sizes = {}): HistoryBuilder {
  const builder = history().step('open', ['wordy']).registry([offered('p_steady')]);
  const ask = (name: string): HistoryBuilder => builder.asked({ callId: name, name: `p_${name}`, arguments: { probe: name } }, { server: 'wordy', rawName: name })
    .received('wordy', { jsonrpc: '2.0', id: builder.nextId(), method: 'tools/call', params: { name, arguments: { probe: name } } }).fault('wordy', `on-${name}`, 'oversize');
  ask('large').outcome('large', large);
  ask('huge');
  if (settles) builder.outcome('huge', huge);
  return after === 'ok' ? echo(builder, 'wordy', 'steady') : builder.call('p_steady', 'wordy', 'steady', 'steady', { outcome: 'failed' });
}

/** Of older revisions and an unknown one, by either transport. */
const revisions: Omit<JudgeHistories, 'check'> = {
  mustFail: [
    years({ old: 'degraded' }).named('an older one is refused'), years({ deaf: true }).named('an older one cannot be called'), years({ unknown: 'ready' }).named('the unknown one is ready'),
    years({ message: 'handshake failed' }).named('the unknown revision is not named'),
  ],
  mustPass: [years({ unknown: 'rejected', message: 'speaks 1999-01-01' }).named('rejected by name')],
  mustDoubt: [history().step('open', ['of-2024']).named('no handshake in another revision')],
};

/** What the judges of revisions and sizes must refuse and must let pass. */
export const limitHistories: readonly JudgeHistories[] = [
  { check: 'WIRE-020/older-and-unknown', ...revisions },
  { check: 'WIRE-020/older-over-http', ...revisions },
  {
    check: 'WIRE-021/answers',
    mustFail: [
      sizes({ huge: { outcome: 'ok' } }).named('above the limit, and delivered'), sizes({ settles: false }).named('above the limit, and never settled'), sizes({ large: { outcome: 'failed' } }).named('below the limit, and failed'),
      sizes({ huge: { outcome: 'failed', view: [], message: 'connection closed' } }).named('no word of the limit'), sizes({ after: 'failed' }).named('nothing goes through afterwards'),
    ],
    mustPass: [sizes({ huge: { outcome: 'failed', executed: 'unknown', view: [{ type: 'text', text: 'larger than 200 000 bytes' }] } }).named('the number alone'), ...['larger than 200 kB', 'above 195.3 KiB'].map((message) => sizes({ huge: { outcome: 'failed', view: [], message } }).named(message))],
    mustDoubt: [history().step('open', ['wordy']).named('no call')],
  },
];

/** What is told of an outage, disposals in it, limits at the start. */
import type { SubjectDescription } from '../../../src/adapter/messages.ts';
import { QUIET } from '../../../src/checks/connection/steps.ts';
import { offered, type HistoryBuilder, type JudgeHistories, type NamedHistory } from '../builder.ts';
import { entryOf, healthy, Story } from './lives.ts';

interface Told {
  readonly first?: string;
  readonly second?: string;
  readonly third?: string;
  readonly recovered?: 'info' | 'warn';
  readonly givenUp?: 'error' | 'warn';
  readonly off?: 'error' | 'warn';
}

/** A loss, an attempt that fails, a recovery; then one that is given up. Beside it one with reconnection off is lost. */
function talk(told: Told = {}): Story {
  const { first = 'lost, 1 of 2 in 37 ms', second = 'failed, 2 of 2 in 74 ms', third = 'lost, 1 of 2 in 37 ms', recovered = 'info', givenUp = 'error', off = 'error' } = told;
  const policy = { initialDelayMs: 37, maxDelayMs: 74, maxAttempts: 2 };
  const line = (builder: HistoryBuilder): unknown => builder.log(off, 'lost for good', 'resigned');
  const story = new Story('talkative')
    .with((builder) => builder.event({ kind: 'request', step: 'open', servers: [entryOf('talkative', { reconnect: policy }), entryOf('resigned', { reconnect: { enabled: false } })] }))
    .began(1).listed(1).settled('open')
    .with((builder) => builder.record('resigned', { kind: 'process', event: 'start' }, 1).record('resigned', { kind: 'process', event: 'exit', code: 9 }, 1)).with(line);
  story.ended(1, 9).log('warn', first).wait(37).began(2).ended(2, 9).log('warn', second).wait(74).began(3).listed(3).log(recovered, 'there again').wait(200).ended(3, 9);
  return story.log('warn', third).wait(37).began(4).ended(4, 9).log('warn', 'failed, 2 of 2 in 74 ms').wait(74).began(5).ended(5, 9).log(givenUp, 'no more');
}

const REMOVED = { reconnect: { initialDelayMs: 300, maxDelayMs: 300 } };
const lost = (): Story => healthy('leaver', REMOVED).ended(1).refused();
const gone = (alive: number[] = []) => (builder: HistoryBuilder): unknown => builder.event({ kind: 'processes', started: [101], alive });
const removed = (story: Story, alive: number[] = []): Story => story.asked('remove').settled('remove').with(gone(alive)).registry([]);
const added = (story: Story, n: number): Story => story.barrier(QUIET, false).asked('add').began(n).listed(n).settled('add').registry().echoed(n);

const UNDER_WAY = (builder: HistoryBuilder): unknown => builder.record('leaver', { kind: 'hold', hold: 'under-way', event: 'held' }, 2);
const attempting = (): Story => healthy('leaver', REMOVED).ended(1).wait(300).began(2).with(UNDER_WAY);

const disposal = (check: string, begin: () => Story, n: number, early: readonly NamedHistory[] = []): JudgeHistories => ({
  check,
  mustFail: [
    added(removed(begin()).began(n).ended(n), n + 1).named('a process comes after the removal'), added(removed(begin(), [102]), n).named('a process is left when the removal settles'),
    begin().asked('remove').barrier('remove settles', false).named('the removal never settles'), added(removed(begin()).registry(), n).named('its tools are left'),
    removed(begin()).barrier(QUIET, false).asked('add').settled('add', 'rejected', 'the name is taken').registry([]).with((builder) => builder.unreached('p_steady', 'leaver', 'steady')).named('the name is not free'),
  ],
  mustPass: [
    added(removed(begin()), n).named('gone, and back when asked'),
    begin().asked('remove').wait(4_000).log('warn', 'it takes long to leave').settled('remove').with(gone()).registry([offered('native'), offered('q_other')]).barrier(QUIET, false)
      .asked('add').wait(900).began(n + 1, 800).listed(n + 1).settled('add').registry([offered('q_other'), offered('p_steady')]).refused().echoed(n + 1).named('slow to leave and slow to come, one call too early, beside another server'),
  ],
  mustDoubt: [...early, healthy('leaver').asked('remove').settled('remove').named('it was not lost'), removed(begin()).named('nobody waited')],
});

interface Slow {
  readonly tookMs?: number;
  /** Milliseconds between the request to open and the first word of the processes. */
  readonly startMs?: number;
  readonly status?: 'ready' | 'degraded';
  readonly message?: string;
  readonly patient?: 'ok' | 'failed';
  readonly subject?: Partial<SubjectDescription>;
  /** Whether the servers whose list is slow are kept. */
  readonly kept?: boolean;
}

function slowStarts({ tookMs = 320, startMs = 0, status = 'degraded', message = 'not within 300 ms', patient = 'ok', subject = {}, kept = false }: Slow = {}): HistoryBuilder {
  const names = ['no-handshake', 'no-list', 'slow-pages'];
  const { builder } = new Story('patient', subject);
  builder.event({ kind: 'request', step: 'open', servers: names.map((name) => entryOf(name)) });
  builder.wait(startMs);
  for (const name of names) builder.record(name, { kind: 'process', event: 'start' }).received(name, { jsonrpc: '2.0', id: 0, method: 'initialize' });
  for (const name of names.slice(1)) builder.sent(name, { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } });
  builder.wait(tookMs);
  for (const name of kept ? names.slice(0, 1) : names) builder.record(name, { kind: 'process', event: 'input-end' }).record(name, { kind: 'process', event: 'exit', code: 0 });
  builder.event({ kind: 'settled', step: 'open', servers: names.map((name) => ({ name, status, message })) });
  const story = new Story('patient').echoed(1).named('').history.slice(1);
  for (const event of story) builder.event(event.kind === 'outcome' && patient === 'failed' ? { ...event, reply: { ...event.reply, outcome: 'failed', view: [] } } : event);
  return builder;
}

/** What the judges of telling, disposals and limits must refuse and must let pass. */
export const tellingHistories: readonly JudgeHistories[] = [
  {
    check: 'CONNECTION-018/levels-and-facts',
    mustFail: [
      talk({ first: 'lost, trying again' }).named('neither number nor delay'), talk({ second: 'failed, 2 of 2' }).named('no delay'), talk({ third: 'lost, in 37 ms' }).named('no number'),
      talk({ second: 'lost, 2 of 2 in 74 ms' }).named('a failed attempt reads like a loss'), talk({ recovered: 'warn' }).named('the recovery is a warning'),
      talk({ givenUp: 'warn' }).named('giving up is a warning'), talk({ off: 'warn' }).named('a loss for good is a warning'),
    ],
    mustPass: [talk({ first: '[talkative] connection gone; attempt #1, delay=37' }).named('other words')],
    mustDoubt: [healthy('talkative').named('nothing was lost')],
  },
  disposal('CONNECTION-019/retry-pending', lost, 2, [added(removed(lost()).began(2, 60).ended(2), 3).named('an attempt that had begun before the removal, and could not say so yet')]),
  disposal('CONNECTION-019/connecting', attempting, 3),
  disposal('CONNECTION-019/listing', attempting, 3),
  {
    check: 'CONNECTION-020/slow-starts',
    mustFail: [
      slowStarts({ status: 'ready' }).named('said to be ready'), slowStarts({ tookMs: 3_000 }).named('seconds too late'), slowStarts({ tookMs: 75 }).named('after a quarter of the limit'), slowStarts({ tookMs: 75, startMs: 500 }).named('after a quarter, on a machine where starts take long'), slowStarts({ message: 'could not connect' }).named('no word of the limit'),
      slowStarts({ patient: 'failed' }).named('the slow one within its limit suffers'),
    ],
    mustPass: [
      slowStarts({ tookMs: 1_200 }).named('a second late, on a busy machine'), slowStarts({ message: 'connectTimeoutMs, discoveryTimeoutMs or syncTimeoutMs is over' }).named('the option is named, not the number'),
      slowStarts({ message: 'no answer within 0.3 seconds' }).named('the number in seconds'),
      slowStarts({ status: 'ready', subject: { registry: 'pull' } }).named('ready before anything was listed, given up at the look'),
      slowStarts({ status: 'ready', subject: { registry: 'pull' }, kept: true }).named('two are kept after a look that came to nothing'),
    ],
    mustDoubt: [new Story('patient').asked('open').named('nothing was slow')],
  },
];

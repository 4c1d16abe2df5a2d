/** Waits of a history in the words of a case: by the record that ended them, or by what the predicate says of itself. */
import type { CaseInput } from 'mcp-fixture-server/case';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import { answersOf } from '../awaiting.ts';
import { memberOf } from '../../checks/support/steps.ts';
import { isWarning } from '../../checks/support/warnings.ts';
import type { EventOf, History } from '../../history/schema.ts';

/** A step as it is written. */
export type WrittenStep = CaseInput['steps'][number];
type Written = Extract<WrittenStep, { await: unknown }>['await'];
type Barrier = EventOf<'barrier'>;

/** The longest wait that a case may name, in milliseconds. */
const MAX_WAIT_MS = 120_000;

/** The wait of a barrier; `undefined` when it cannot be said. */
export function waitOf(barrier: Barrier, index: number, history: History): Written | undefined {
  const { until, what } = barrier;
  if (until === undefined) return undefined;
  const named = { as: what.slice(0, 1000), ...(barrier.boundMs >= 1 ? { withinMs: Math.min(MAX_WAIT_MS, Math.ceil(barrier.boundMs)) } : {}) };
  if (until.hostEvent !== undefined) return { hostEvent: until.hostEvent, times: countBefore(history, index, (event) => event.kind === 'host-event' && event.event === until.hostEvent), as: named.as };
  if (until.describes !== undefined) return { describes: until.describes, ...(until.only === true ? { only: true } : {}), as: named.as };
  if (until.warned === true) return { warned: countBefore(history, index, isWarning) + (barrier.reached || !history.slice(0, index).some(isWarning) ? 0 : 1), ...named };
  const { server } = until;
  if (server === undefined) return undefined;
  if (until.ready === true) return { server, ready: true, ...named };
  const record = until.record === undefined ? undefined : recordAt(history, server, until.record);
  const kind = record === undefined ? kindOf(until) : kindOfRecord(record, history);
  if (kind === undefined) return undefined;
  const seen = countOf(kind, server, history, record);
  // In vain: one more than there was at least.
  const times = record === undefined ? Math.max(until.times ?? 1, seen + 1) : Math.max(1, seen);
  return worded(kind, times, { server, ...named });
}

/** What is counted. */
type Kind =
  | { readonly received: string } | { readonly answered: string } | { readonly sent: string } | { readonly held: string } | { readonly fired: string }
  | { readonly event: 'start' | 'exit' } | { readonly repliedTo: unknown };

function worded(kind: Kind, times: number, rest: { readonly server: string; readonly as: string; readonly withinMs?: number }): Written {
  if ('event' in kind) return kind.event === 'start' ? { ...rest, started: times } : { ...rest, ended: times };
  if ('received' in kind) return { ...rest, received: kind.received, times };
  if ('answered' in kind) return { ...rest, answered: kind.answered, times };
  if ('sent' in kind) return { ...rest, sent: kind.sent, times };
  if ('held' in kind) return { ...rest, held: kind.held, times };
  return 'fired' in kind ? { ...rest, fired: kind.fired, times } : { ...rest, repliedTo: kind.repliedTo };
}

function kindOf(until: NonNullable<Barrier['until']>): Kind | undefined {
  if (until.received !== undefined) return { received: until.received };
  if (until.answered !== undefined) return { answered: until.answered };
  if (until.sent !== undefined) return { sent: until.sent };
  if (until.held !== undefined) return { held: until.held };
  if (until.replied !== undefined) return { repliedTo: until.replied };
  if (until.started === true) return { event: 'start' };
  return until.ended === true ? { event: 'exit' } : undefined;
}

function kindOfRecord(record: TraceRecord, history: History): Kind | undefined {
  if (record.kind === 'hold') return record.event === 'held' ? { held: record.hold } : undefined;
  if (record.kind === 'fault') return { fired: record.rule };
  if (record.kind === 'process') {
    if (record.event === 'start' || record.event === 'incarnation') return { event: 'start' };
    return record.event === 'exit' ? { event: 'exit' } : undefined;
  }
  const method = memberOf(record.message, 'method');
  const id = memberOf(record.message, 'id');
  if (record.direction === 'client-to-server') return typeof method === 'string' ? { received: method } : { repliedTo: id };
  if (typeof method === 'string') return { sent: method };
  const asked = recordsOf(history, record.server).find((one) =>
    one.kind === 'frame' && one.direction === 'client-to-server' && one.pid === record.pid && memberOf(one.message, 'id') === id && memberOf(one.message, 'method') !== undefined);
  const askedMethod = asked?.kind === 'frame' ? memberOf(asked.message, 'method') : undefined;
  return typeof askedMethod === 'string' ? { answered: askedMethod } : undefined;
}

/** How many of a kind there were up to a record, it included; all, without one. */
function countOf(kind: Kind, server: string, history: History, until: TraceRecord | undefined): number {
  const matches = matcherOf(kind);
  let seen = 0;
  for (const record of recordsOf(history, server)) {
    if (matches(record)) seen += 1;
    if (record === until) break;
  }
  return seen;
}

function matcherOf(kind: Kind): (record: TraceRecord) => boolean {
  if ('event' in kind) return (record) => record.kind === 'process' && record.event === kind.event;
  if ('held' in kind) return (record) => record.kind === 'hold' && record.event === 'held' && record.hold === kind.held;
  if ('fired' in kind) return (record) => record.kind === 'fault' && record.index === 0 && record.rule === kind.fired;
  if ('answered' in kind) return answersOf(kind.answered);
  if ('repliedTo' in kind) return () => false;
  const [direction, method] = 'received' in kind ? (['client-to-server', kind.received] as const) : (['server-to-client', kind.sent] as const);
  return (record) => record.kind === 'frame' && record.direction === direction && memberOf(record.message, 'method') === method;
}

function recordsOf(history: History, server: string): TraceRecord[] {
  return history.flatMap((event) => (event.kind === 'wire' && event.record.server === server ? [event.record] : []));
}

function recordAt(history: History, server: string, { pid, seq }: { readonly pid: number; readonly seq: number }): TraceRecord | undefined {
  return recordsOf(history, server).find((record) => record.pid === pid && record.seq === seq);
}

function countBefore(history: History, index: number, matches: (event: History[number]) => boolean): number {
  return Math.max(1, history.slice(0, index).filter(matches).length);
}

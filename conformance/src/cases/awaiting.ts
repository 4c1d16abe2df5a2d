/** Waits of a case as predicates over the records of a server, from the first on. */
import type { Barrier } from 'mcp-fixture-server/case';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import { memberOf } from '../checks/support/steps.ts';

/** A wait for something on the wire or in a process. */
export type WireBarrier = Extract<Barrier, { received: string } | { answered: string } | { sent: string } | { started: number } | { fired: string } | { held: string } | { ended: unknown } | { repliedTo: unknown }>;

/** Says of one record after the other whether it is the one. Made anew for each wait: it counts. */
export function reachedBy(barrier: WireBarrier): (record: TraceRecord) => boolean {
  return counting(timesOf(barrier), matcherOf(barrier));
}

/** What a barrier is called in the history when the case gives it no name. */
export function nameOf(barrier: Barrier): string {
  const { as: _as, withinMs: _withinMs, ...rest } = { as: undefined, ...barrier };
  return `await ${JSON.stringify(rest)}`;
}

function timesOf(barrier: WireBarrier): number {
  if ('times' in barrier) return barrier.times;
  if ('started' in barrier) return barrier.started;
  if ('repliedTo' in barrier) return 1;
  return barrier.ended === true ? 1 : barrier.ended;
}

function matcherOf(barrier: WireBarrier): (record: TraceRecord) => boolean {
  if ('received' in barrier) return (record) => isFrame(record, 'client-to-server') && methodOf(record) === barrier.received;
  if ('sent' in barrier) return (record) => isFrame(record, 'server-to-client') && methodOf(record) === barrier.sent;
  if ('answered' in barrier) return answersOf(barrier.answered);
  if ('fired' in barrier) return (record) => record.kind === 'fault' && record.index === 0 && record.rule === barrier.fired;
  if ('held' in barrier) return (record) => record.kind === 'hold' && record.event === 'held' && record.hold === barrier.held;
  if ('repliedTo' in barrier) {
    const due = JSON.stringify(barrier.repliedTo);
    return (record) => isFrame(record, 'client-to-server') && methodOf(record) === undefined && record.kind === 'frame' && JSON.stringify(memberOf(record.message, 'id')) === due;
  }
  const event = 'started' in barrier ? 'start' : 'exit';
  return (record) => record.kind === 'process' && record.event === event;
}

/** Answers to requests of one method, once a request. */
export function answersOf(method: string): (record: TraceRecord) => boolean {
  const open = new Set<string>();
  return (record) => {
    if (record.kind !== 'frame') return false;
    const key = JSON.stringify([record.pid, record.session ?? null, memberOf(record.message, 'id')]);
    if (record.direction === 'client-to-server') {
      if (methodOf(record) === method) open.add(key);
      return false;
    }
    return methodOf(record) === undefined && open.delete(key);
  };
}

function counting(times: number, matches: (record: TraceRecord) => boolean): (record: TraceRecord) => boolean {
  let seen = 0;
  return (record) => {
    if (matches(record)) seen += 1;
    return seen >= times;
  };
}

function isFrame(record: TraceRecord, direction: 'client-to-server' | 'server-to-client'): boolean {
  return record.kind === 'frame' && record.direction === direction;
}

function methodOf(record: TraceRecord): unknown {
  return record.kind === 'frame' ? memberOf(record.message, 'method') : undefined;
}

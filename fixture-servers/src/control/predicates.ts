/** What tests wait for, by name. Each counts from the record where the waiting begins, so make a fresh one each time. */
import type { TraceRecord } from '../trace/schema.ts';
import { isJsonObject, member } from '../jsonrpc/message.ts';

/** Says whether a record is the one. */
export type RecordPredicate = (record: TraceRecord) => boolean;

/** The method of the message in a frame, if it is one and has one. */
export function methodOf(record: TraceRecord): string | undefined {
  if (record.kind !== 'frame' || !isJsonObject(record.message)) return undefined;
  const method = member(record.message, 'method');
  return typeof method === 'string' ? method : undefined;
}

/** The server received this method, for the n-th time. Default: the first. */
export function received(method: string, nth = 1): RecordPredicate {
  return counting(nth, (record) => isFrame(record, 'client-to-server') && methodOf(record) === method);
}

/** The server sent a notification or request with this method, for the n-th time. Default: the first. */
export function sent(method: string, nth = 1): RecordPredicate {
  return counting(nth, (record) => isFrame(record, 'server-to-client') && methodOf(record) === method);
}

/** The server answered the request with this id. */
export function answered(id: string | number): RecordPredicate {
  return (record) =>
    record.kind === 'frame' && record.direction === 'server-to-client' && isJsonObject(record.message) &&
    member(record.message, 'id') === id && methodOf(record) === undefined;
}

/** This rule fired (its first action was performed), for the n-th time. Default: the first. */
export function fired(rule: string, nth = 1): RecordPredicate {
  return counting(nth, (record) => record.kind === 'fault' && record.index === 0 && record.rule === rule);
}

/** Something came to wait at this hold, for the n-th time. Default: the first. */
export function held(name: string, nth = 1): RecordPredicate {
  return counting(nth, (record) => record.kind === 'hold' && record.event === 'held' && record.hold === name);
}

/** A process of the server ended, for the n-th time. Default: the first. */
export function ended(nth = 1): RecordPredicate {
  return counting(nth, (record) => record.kind === 'process' && record.event === 'exit');
}

function isFrame(record: TraceRecord, direction: 'client-to-server' | 'server-to-client'): boolean {
  return record.kind === 'frame' && record.direction === direction;
}

function counting(nth: number, matches: RecordPredicate): RecordPredicate {
  let count = 0;
  return (record) => {
    if (!matches(record)) return false;
    count += 1;
    return count === nth;
  };
}

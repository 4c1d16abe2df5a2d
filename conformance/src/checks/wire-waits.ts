/**
 * Predicates for `bench.wire`. Each remembers what it has seen, so make a new one for each wait; the wait shows it the
 * past first, in order.
 */
import type { TraceRecord } from 'mcp-fixture-server/trace';
import { awaiting } from '../bench/waits.ts';
import { isObject } from '../history/views.ts';

/** Sees one record after the other. */
export type WirePredicate = (record: TraceRecord) => boolean;

/** So many requests or notifications of this method were received. */
export function receivedTimes(method: string, times: number): WirePredicate {
  let seen = 0;
  return awaiting({ received: method, times }, (record) => {
    if (methodOf(record) === method && record.kind === 'frame' && record.direction === 'client-to-server') seen += 1;
    return seen >= times;
  });
}

/** So many listings were answered to their end: a last page, an error, or something that is no list. */
export function listingAnswered(times: number): WirePredicate {
  const open = new Set<unknown>();
  let seen = 0;
  return awaiting({ answered: 'tools/list', times }, (record) => {
    if (record.kind !== 'frame' || !isObject(record.message)) return false;
    const { id, result } = record.message as { id?: unknown; result?: unknown };
    const key = JSON.stringify([record.pid, id]);
    if (record.direction === 'client-to-server' && methodOf(record) === 'tools/list') open.add(key);
    else if (record.direction === 'server-to-client' && methodOf(record) === undefined && open.delete(key)) {
      const more = isObject(result) && Array.isArray(result['tools']) && typeof result['nextCursor'] === 'string';
      if (!more) seen += 1;
    }
    return seen >= times;
  });
}

/** A hold was reached. */
export function held(name: string): WirePredicate {
  return awaiting({ held: name }, (record) => record.kind === 'hold' && record.hold === name && record.event === 'held');
}

/** So many announcements were sent. */
export function announcedTimes(times: number): WirePredicate {
  let seen = 0;
  return awaiting({ sent: 'notifications/tools/list_changed', times }, (record) => {
    if (record.kind === 'frame' && record.direction === 'server-to-client' && methodOf(record) === 'notifications/tools/list_changed') seen += 1;
    return seen >= times;
  });
}

function methodOf(record: TraceRecord): unknown {
  return record.kind === 'frame' && isObject(record.message) ? record.message['method'] : undefined;
}

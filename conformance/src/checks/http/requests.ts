/**
 * What a judge reads of a server over HTTP: its requests with the status of each, its sessions, and what was announced. Pure.
 */
import type { FrameRecord, TraceRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import { isObject, messageOf, wireRecords, type At } from '../../history/views.ts';

/** One HTTP request that a scripted server received. */
export interface HttpRequest extends At<FrameRecord> {
  readonly method: string;
  /** Method of the JSON-RPC message in it; absent for GET, DELETE, answers. */
  readonly rpc: unknown;
  /** The session that it names. */
  readonly session: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the response; absent while there is none. */
  readonly status: number | undefined;
}

/** Every HTTP request that a server received, in order. */
export function httpRequests(history: History, server: string): HttpRequest[] {
  const all = wireRecords(history, 'frame', server);
  const statuses = new Map<string, number>();
  for (const { event } of all) {
    if (event.direction === 'server-to-client' && event.http?.status !== undefined) statuses.set(exchangeOf(event), event.http.status);
  }
  return all.flatMap((frame): HttpRequest[] => {
    const { http, direction } = frame.event;
    if (direction !== 'client-to-server' || http === undefined) return [];
    const headers = http.requestHeaders ?? {};
    return [{
      ...frame, method: http.method, rpc: messageOf(frame.event)['method'], headers, session: headers['mcp-session-id'], status: statuses.get(exchangeOf(frame.event)),
    }];
  });
}

function exchangeOf({ pid, http }: FrameRecord): string {
  return `${pid} ${http?.exchange ?? ''}`;
}

/** One session of a server. */
export interface WebSession {
  readonly id: string;
  readonly start: At<TraceRecord>;
  /** Absent while it lives. */
  readonly end: At<TraceRecord> | undefined;
}

/** Every session that a server gave out, in order. */
export function sessionsOf(history: History, server: string): WebSession[] {
  const told = wireRecords(history, 'process', server);
  return told.filter(({ event }) => event.event === 'session').map((start) => {
    const { session: id = '' } = start.event;
    return { id, start, end: told.find(({ index, event }) => event.event === 'session-end' && event.session === id && index > start.index) };
  });
}

/** The session by which a call's request came, as the server knew it. */
export function servedIn(request: At<FrameRecord> | undefined): string | undefined {
  return request?.event.session;
}

/** From this revision on a server may end the stream of an answer before the answer, and a client is bound to `retry` in so many words. */
export const POLLING_SINCE = '2025-11-25';

/** The revision that was agreed with a server; `undefined` where the history does not say. */
export function agreedIn(history: History, server: string): string | undefined {
  const results = wireRecords(history, 'frame', server).map(({ event }) => messageOf(event)['result']);
  const revision = results.filter(isObject).map((result) => result['protocolVersion']).find((one) => one !== undefined);
  return typeof revision === 'string' ? revision : undefined;
}

/**
 * Pure helpers for judges: calls with their outcomes and with what the server received. Public and raw names are paired
 * by calling (the `probe` argument that the bench adds), never by a formula.
 */
import type { FrameRecord } from 'mcp-fixture-server/trace';
import { eventsOf, type At } from './basic-views.ts';
import type { EventOf, History } from './schema.ts';
import { answerTo, isObject, paramsOf, received } from './wire-views.ts';

/** The argument by which a call is found again on the wire. */
export const PROBE = 'probe';

/** One call from request to outcome. */
export interface PairedCall {
  readonly callId: string;
  readonly call: At<EventOf<'call'>>;
  /** Absent while it has not settled. */
  readonly outcome: At<EventOf<'outcome'>> | undefined;
  readonly cancels: readonly At<EventOf<'cancel'>>[];
  /** Every `tools/call` on any server whose arguments carry this call's probe; one, when all is well. */
  readonly requests: readonly At<FrameRecord>[];
  /** The server's answer to the first of them. */
  readonly answer: At<FrameRecord> | undefined;
}

/** All calls, in the order they were made. */
export function pairedCalls(history: History): PairedCall[] {
  const outcomes = byCall(eventsOf(history, 'outcome'));
  const cancels = byCall(eventsOf(history, 'cancel'));
  const byProbe = new Map<unknown, At<FrameRecord>[]>();
  for (const request of received(history, undefined, 'tools/call')) {
    const { arguments: args } = paramsOf(request.event) as { arguments?: unknown };
    if (!isObject(args) || !Object.hasOwn(args, PROBE)) continue;
    const same = byProbe.get(args[PROBE]);
    if (same === undefined) byProbe.set(args[PROBE], [request]);
    else same.push(request);
  }
  return eventsOf(history, 'call').map((call) => {
    const { callId } = call.event.request;
    const requests = byProbe.get(callId) ?? [];
    return {
      callId, call, requests,
      outcome: outcomes.get(callId)?.[0],
      cancels: cancels.get(callId) ?? [],
      answer: requests[0] === undefined ? undefined : answerTo(history, requests[0]),
    };
  });
}

/** Grouped, since a history may hold a call of each of many thousand tools. */
function byCall<E extends { readonly callId: string }>(events: readonly At<E>[]): ReadonlyMap<string, At<E>[]> {
  const groups = new Map<string, At<E>[]>();
  for (const one of events) {
    const same = groups.get(one.event.callId);
    if (same === undefined) groups.set(one.event.callId, [one]);
    else same.push(one);
  }
  return groups;
}

/** The identity that a public name stood for, as a server saw it called. */
export interface Pairing {
  readonly publicName: string;
  readonly server: string;
  readonly rawName: unknown;
  readonly call: PairedCall;
}

/** Which identity each called public name reached, one entry a request on the wire. */
export function pairings(history: History): Pairing[] {
  return pairedCalls(history).flatMap((call) =>
    call.requests.map((request) => ({
      publicName: call.call.event.request.name,
      server: request.event.server,
      rawName: paramsOf(request.event)['name'],
      call,
    })),
  );
}

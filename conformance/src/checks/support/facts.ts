/**
 * Pure helpers of judges, on top of the views: calls by what they are called for, doubts, texts.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CallReply } from '../../adapter/messages.ts';
import type { FrameRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import {
  barrierOf, isObject, listings, logLines, messageOf, pairedCalls, settledSteps, textOf, type At, type PairedCall,
} from '../../history/views.ts';
import { fail, inconclusive, type Judgement } from '../check.ts';

/** The barrier that says whether a tool was offered. */
export function offeredBarrier(server: string, rawName: string): string {
  return `offered: ${JSON.stringify([server, rawName])}`;
}

/** The last call made for this raw name, of this server when it is given. */
export function callFor(history: History, rawName: string, server?: string): PairedCall | undefined {
  return callsFor(history, rawName, server).at(-1);
}

/** All calls made for this raw name. */
export function callsFor(history: History, rawName: string, server?: string): PairedCall[] {
  return pairedCalls(history).filter(
    ({ call: { event } }) => event.rawName === rawName && (server === undefined || event.server === server),
  );
}

/** Positions that show a call. */
export function placesOf(call: PairedCall): number[] {
  return [call.call.index, ...call.requests.map(({ index }) => index), ...(call.outcome === undefined ? [] : [call.outcome.index])];
}

/** The outcome's reply. */
export function replyOf(call: PairedCall | undefined): CallReply | undefined {
  return call?.outcome?.event.reply;
}

/** Everything a model or a person reads about a call. */
export function readOf(reply: CallReply | undefined): string {
  return reply === undefined ? '' : `${textOf(reply.view)}\n${reply.message ?? ''}`;
}

/** Whether words can be read about a call: by a model in its end, or by a person in a warning or an error since it began. */
export function isReadable(history: History, call: PairedCall, words: string): boolean {
  if (readOf(replyOf(call)).includes(words)) return true;
  return logLines(history).some(({ index, event }) => index > call.call.index && (event.level === 'warn' || event.level === 'error') && event.message.includes(words));
}

/** Whether a call succeeded and its text holds its own probe: the echo of a scripted tool. */
export function echoed(call: PairedCall | undefined): boolean {
  const reply = replyOf(call);
  return call !== undefined && reply?.outcome === 'ok' && textOf(reply.view).includes(call.callId);
}

/** The result in the answer to a call's request. */
export function answeredResult(call: PairedCall | undefined): Readonly<Record<string, unknown>> | undefined {
  const result = call?.answer === undefined ? undefined : messageOf(call.answer.event)['result'];
  return isObject(result) ? result : undefined;
}

/** The id of a call's request on the wire. */
export function requestId(call: PairedCall | undefined): unknown {
  const request = call?.requests[0];
  return request === undefined ? undefined : messageOf(request.event)['id'];
}

/** JSON equality: key order and the sign of zero play no part. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(plain(a), plain(b));
}

function plain(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/**
 * What a judge says when a tool it needs was never called: a fail when the server had listed it and the subject had its
 * time, doubt otherwise. `undefined` when it was called.
 */
export function uncalled(history: History, server: string, rawName: string): Judgement | undefined {
  if (callFor(history, rawName, server) !== undefined) return undefined;
  const barrier = barrierOf(history, offeredBarrier(server, rawName));
  const listing = listings(history, server).findLast(({ complete, tools }) => complete && tools.some((tool) => isObject(tool) && tool['name'] === rawName));
  if (barrier?.event.reached === false && listing !== undefined) {
    return fail(`"${server}" listed ${JSON.stringify(rawName)}, and no offered tool has its description`, [barrier.index]);
  }
  return inconclusive(`the tool ${JSON.stringify(rawName)} of "${server}" was not called`);
}

/** Doubts in order: the first condition that does not hold makes the judge inconclusive. */
export function doubt(...needs: readonly (readonly [held: boolean, what: string])[]): Judgement | undefined {
  const missing = needs.find(([held]) => !held);
  return missing === undefined ? undefined : inconclusive(`not in the history: ${missing[1]}`);
}

/** The first judgement there is. */
export function first(...judgements: readonly (Judgement | undefined)[]): Judgement | undefined {
  return judgements.find((one) => one !== undefined);
}

/** What a person could read about one server's start: the replies for it, and logs that name it or no server. */
export function startMessages(history: History, server: string): string {
  const replies = [...settledSteps(history, 'open'), ...settledSteps(history, 'add')].flatMap(({ event }) =>
    event.servers.filter(({ name }) => name === server).map(({ message }) => message ?? ''),
  );
  const logs = logLines(history).filter(({ event }) => event.server === undefined || event.server === server);
  return [...replies, ...logs.map(({ event }) => event.message)].join('\n');
}

/** Everything a person or a model could read in the whole history: logs, replies, views, failures and states. */
export function allReadable(history: History): { readonly index: number; readonly text: string }[] {
  return history.flatMap((event, index) => {
    if (event.kind === 'log') return [{ index, text: event.message }];
    if (event.kind === 'outcome') return [{ index, text: readOf(event.reply) }];
    if (event.kind === 'settled') {
      return [{ index, text: [event.error ?? '', ...event.servers.map(({ message }) => message ?? '')].join('\n') }];
    }
    if (event.kind === 'state') return [{ index, text: event.servers.map(({ lastError }) => lastError ?? '').join('\n') }];
    return [];
  });
}

/** Whether one record came before another. */
export function before(a: At<unknown> | undefined, b: At<unknown> | undefined): boolean {
  return a !== undefined && b !== undefined && a.index < b.index;
}

/** A frame's id, when its message has one. */
export function idOf(frame: At<FrameRecord>): unknown {
  return messageOf(frame.event)['id'];
}

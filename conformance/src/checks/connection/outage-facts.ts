/**
 * Pure helpers of judges about outages.
 */
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, lastRegistry, logLines, pairedCalls, wireRecords, type At, type PairedCall } from '../../history/views.ts';
import type { EventOf } from '../../history/schema.ts';
import { fail, inconclusive, type Judgement } from '../check.ts';
import { QUIET } from './steps.ts';
import type { Life } from './lives.ts';

/** Where the suite first asked for something else than opening: what comes then is not the server's own course any more. */
export function untilAsked(history: History): number {
  return eventsOf(history, 'request').find(({ event }) => event.step !== 'open')?.index ?? history.length;
}

/** The requests of one step. */
export function requestsOf(history: History, step: EventOf<'request'>['step']): At<EventOf<'request'>>[] {
  return eventsOf(history, 'request').filter(({ event }) => event.step === step);
}

/** Log lines that name a server, in their own member or in their text. */
export function linesAbout(history: History, server: string, level?: EventOf<'log'>['level']): At<EventOf<'log'>>[] {
  return logLines(history, level).filter(({ event }) => event.server === server || (event.server === undefined && event.message.includes(server)));
}

/** The public names under which tools of a server were called and reached it. */
export function publicNamesOf(history: History, server: string): Set<string> {
  return new Set(pairedCalls(history).filter(({ requests }) => requests.some(({ event }) => event.server === server)).map(({ call }) => call.event.request.name));
}

/** A fail when the last registry before a position still holds a tool of the server; doubt when nobody looked or called. */
export function toolsGone(history: History, server: string, before: number): Judgement | undefined {
  const names = publicNamesOf(history, server);
  const last = lastRegistry(history, before);
  if (names.size === 0 || last === undefined) return inconclusive(`not in the history: a tool of "${server}" that was called, and a look at the registry`);
  const left = last.event.tools.find(({ name }) => names.has(name));
  return left === undefined ? undefined : fail(`${left.name} is still registered`, [last.index]);
}

/** Doubt unless the exercise waited for a process that should not come. */
export function waitedInVain(history: History): Judgement | undefined {
  return barrierOf(history, QUIET) === undefined ? inconclusive('not in the history: a wait for what should not come') : undefined;
}

/** Which process received a call; `undefined` when none did. */
export function servedBy(call: PairedCall, lives: readonly Life[]): Life | undefined {
  const request = call.requests[0];
  return request === undefined ? undefined : lives.findLast(({ pid, start }) => pid === request.event.pid && start.index < request.index);
}

/** The first record that one process wrote after the next one had begun: proof that both lived at once. */
export function overlap(lives: readonly Life[]): { readonly life: Life; readonly next: Life } | undefined {
  for (const [at, life] of lives.entries()) {
    const next = lives[at + 1];
    if (next !== undefined && life.lastSign.event.atMs > next.beganAtMs) return { life, next };
  }
  return undefined;
}

/** Whether a process lived on for some time after it was asked to leave. */
export function refusedToLeave(history: History, server: string, life: Life, atLeastMs: number): boolean {
  const asked = wireRecords(history, 'process', server).find(({ event }) => event.pid === life.pid && event.event === 'input-end');
  return asked !== undefined && life.lastSign.event.atMs - asked.event.atMs >= atLeastMs;
}

/**
 * What was observed of a run that an error of the way to the subject cost. It is no verdict; but a bridge that dies or
 * blocks at something has to be found by its author.
 */
import type { LiveBench } from '../bench/live-bench.ts';
import { latestRun } from '../history/recorder.ts';
import type { History, HistoryEvent } from '../history/schema.ts';
import { eventText } from '../reporters/event-text.ts';

const observed = new WeakMap<object, History>();

/** Keeps what a bench saw before an error, the first time. Never throws. */
export async function keepObserved(thrown: object, bench: LiveBench): Promise<void> {
  if (observed.has(thrown)) return;
  // What servers saw last is still on its way.
  await bench.flush().catch(() => undefined);
  observed.set(thrown, latestRun(bench.history));
}

/** What was observed before that error; `undefined` when nothing was. */
export function observedBefore(error: unknown): History | undefined {
  return typeof error === 'object' && error !== null ? observed.get(error) : undefined;
}

/** Where in a history the last stimulus is: what the suite asked for, or what a server sent. -1 when there is none. */
export function lastStimulus(history: History): number {
  return history.findLastIndex((event, index) => isStimulus(event) && !isRefused(history, index));
}

/** A close that was answered with an error while a call was under way: the call is what the subject was at when it went. */
function isRefused(history: History, index: number): boolean {
  const asked = history[index];
  if (asked?.kind !== 'request' || asked.step !== 'close') return false;
  const settled = new Set(history.flatMap((event) => (event.kind === 'outcome' ? [event.callId] : [])));
  const failed = history.slice(index).some((event) => event.kind === 'settled' && event.step === 'close' && event.error !== undefined);
  return failed && history.slice(0, index).some((event) => event.kind === 'call' && !settled.has(event.request.callId));
}

/** The last stimulus in words, for a line of its own. */
export function stimulusText(history: History): string | undefined {
  const event = history[lastStimulus(history)];
  return event === undefined ? undefined : eventText(event).replace(/ {2,}/g, ' ');
}

/** Whether something was asked of the bridge, or sent to it by a server. */
export function isStimulus(event: HistoryEvent): boolean {
  if (event.kind !== 'wire') return ['request', 'call', 'cancel', 'control', 'host'].includes(event.kind);
  const { record } = event;
  return record.kind === 'fault' || (record.kind === 'frame' && record.direction === 'server-to-client');
}

/** The input of a property that was at work. */
export function inputAtWork(history: History): unknown {
  const run = history.findLast((event) => event.kind === 'run');
  return run?.kind === 'run' ? run.input : undefined;
}

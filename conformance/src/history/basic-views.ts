/**
 * Pure helpers for judges: events by kind, the registry, barriers, logs. Every answer carries the position in the
 * history, which a judgement names as its evidence.
 */
import type { OfferedTool, SubjectDescription, ViewBlock } from '../adapter/messages.ts';
import type { EventOf, History, HistoryEvent } from './schema.ts';

/** Something found in a history, and where. */
export interface At<T> {
  /** Position in the history. */
  readonly index: number;
  readonly event: T;
}

/** All events of one kind, in order. */
export function eventsOf<K extends HistoryEvent['kind']>(history: History, kind: K): At<EventOf<K>>[] {
  return history.flatMap((event, index) => (isOf(event, kind) ? [{ index, event }] : []));
}

function isOf<K extends HistoryEvent['kind']>(event: HistoryEvent, kind: K): event is EventOf<K> {
  return event.kind === kind;
}

/** What the subject declared; `undefined` in a history that does not say. */
export function subjectOf(history: History): SubjectDescription | undefined {
  return eventsOf(history, 'subject')[0]?.event.description;
}

/** Every whole registry that was told or looked at, in order. */
export function registrySnapshots(history: History): At<EventOf<'registry'>>[] {
  return eventsOf(history, 'registry');
}

/** The last registry before `before` (default: the end). */
export function lastRegistry(history: History, before = history.length): At<EventOf<'registry'>> | undefined {
  return registrySnapshots(history).findLast(({ index }) => index < before);
}

/** Each offered tool that was ever seen, once a distinct (name, description, parameters), with where it was first seen. */
export function everOffered(history: History): At<OfferedTool>[] {
  const seen = new Map<string, At<OfferedTool>>();
  for (const { index, event } of registrySnapshots(history)) {
    for (const tool of event.tools) {
      const key = JSON.stringify([tool.name, tool.description, tool.parameters]);
      if (!seen.has(key)) seen.set(key, { index, event: tool });
    }
  }
  return [...seen.values()];
}

/** How a step settled: all of that kind, in order. */
export function settledSteps(history: History, step: EventOf<'settled'>['step']): At<EventOf<'settled'>>[] {
  return eventsOf(history, 'settled').filter(({ event }) => event.step === step);
}

/** The barrier of that name, the last one when there are several. */
export function barrierOf(history: History, what: string): At<EventOf<'barrier'>> | undefined {
  return eventsOf(history, 'barrier').findLast(({ event }) => event.what === what);
}

/** Log lines, of one level or of all. */
export function logLines(history: History, level?: EventOf<'log'>['level']): At<EventOf<'log'>>[] {
  return eventsOf(history, 'log').filter(({ event }) => level === undefined || event.level === level);
}

/** What went wrong with the exercise itself. */
export function troubles(history: History): At<EventOf<'trouble'>>[] {
  return eventsOf(history, 'trouble');
}

/** The events from the last `run` on: a property's own, without what `prepare` saw. The positions stay those of `history`. */
export function ownEventsFrom(history: History): number {
  return Math.max(0, history.findLastIndex((event) => event.kind === 'run'));
}

/** Everything in a view that a model reads as text, joined by newlines. */
export function textOf(view: readonly ViewBlock[]): string {
  return view.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

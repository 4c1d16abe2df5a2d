/**
 * Collects the events of one check in one list, and cuts out what a judge may read.
 *
 * Records of a fixture reach the suite a little after they happened. So the list is kept as it arrives, and put in the
 * order of the shared clock when it is read; events of the same instant keep the order in which they arrived.
 */
import { nowMs } from './clock.ts';
import type { History, HistoryEvent } from './schema.ts';

/** An event whose time the recorder fills in. */
export type TimelessEvent = HistoryEvent extends infer E ? (E extends HistoryEvent ? Omit<E, 'atMs'> : never) : never;

/** One growing history. */
export class Recorder {
  readonly #events: HistoryEvent[] = [];

  /** Adds an event that carries its own time. */
  add(event: HistoryEvent): void {
    this.#events.push(event);
  }

  /** Adds an event that happens now. */
  note(event: TimelessEvent): void {
    this.#events.push({ atMs: nowMs(), ...event } as HistoryEvent);
  }

  /** Everything so far, in the order of time. A copy. */
  history(): History {
    return inTime(this.#events);
  }

  /** How many events there are; for `since`. */
  get size(): number {
    return this.#events.length;
  }

  /** Events as they arrived, from the given position: what an exercise looks at while it runs. */
  since(position: number): History {
    return this.#events.slice(position);
  }
}

/** Sorts by time; the sort is stable. */
export function inTime(events: readonly HistoryEvent[]): HistoryEvent[] {
  return [...events].sort((a, b) => a.atMs - b.atMs);
}

/**
 * What the judge of a property gets for its latest run: everything before the first `run` (what `prepare` saw) and
 * everything from the last `run` on. A history without `run` is given back whole.
 */
export function latestRun(history: History): History {
  const first = history.findIndex((event) => event.kind === 'run');
  if (first === -1) return history;
  const last = history.findLastIndex((event) => event.kind === 'run');
  return [...history.slice(0, first), ...history.slice(last)];
}

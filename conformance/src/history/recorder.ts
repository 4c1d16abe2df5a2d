/**
 * Collects the events of one check in one list, and cuts out what a judge may read.
 *
 * Records of a fixture reach the suite a little after they happened. So the list is kept as it arrives, and put in the
 * order of the shared clock when it is read; events of the same instant keep the order in which they arrived.
 */
import type { TraceRecord } from 'mcp-fixture-server/trace';
import { nowMs } from './clock.ts';
import type { History, HistoryEvent } from './schema.ts';

/** An event whose time the recorder fills in. */
export type TimelessEvent = HistoryEvent extends infer E ? (E extends HistoryEvent ? Omit<E, 'atMs'> : never) : never;

/** One growing history. */
export class Recorder {
  #events: HistoryEvent[] = [];
  readonly #sources: (() => readonly TraceRecord[])[] = [];
  readonly #onNote: ((event: HistoryEvent) => void) | undefined;

  /** @param onNote is told each event that happens now, at once */
  constructor(onNote?: (event: HistoryEvent) => void) {
    this.#onNote = onNote;
  }

  /** Adds a source of trace records; each call gives those that are new. */
  addSource(fresh: () => readonly TraceRecord[]): void {
    this.#sources.push(fresh);
  }

  /** Adds an event that carries its own time. */
  add(event: HistoryEvent): void {
    this.#events.push(event);
  }

  /** Adds an event that happens now. */
  note(event: TimelessEvent): void {
    const now = { atMs: nowMs(), ...event };
    this.#events.push(now);
    this.#onNote?.(now);
  }

  /**
   * Begins the next run of a property. Of earlier runs only their beginnings are kept: by those a record that arrives
   * late is known to belong to one of them, and not to what came before the first.
   */
  beginRun(input: unknown): void {
    this.#collect();
    const first = this.#events.findIndex((event) => event.kind === 'run');
    if (first !== -1) this.#events = this.#events.filter((event, index) => index < first || event.kind === 'run');
    this.note({ kind: 'run', input });
  }

  /** Everything so far, in the order of time. A copy. */
  history(): History {
    this.#collect();
    return inTime(this.#events);
  }

  #collect(): void {
    for (const fresh of this.#sources) {
      for (const record of fresh()) this.#events.push({ atMs: record.atMs, kind: 'wire', record });
    }
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

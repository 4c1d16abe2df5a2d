import { MAX_REPLAY_EVENTS } from './bounds.ts';

/** An event that was sent and may be asked for again. */
export interface SentEvent {
  readonly stream: number;
  readonly seq: number;
  readonly text: string;
}

/** How many bytes all sessions of a server keep together. */
export interface Budget {
  /** Takes so much. @returns false when it is spent. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Makes a budget of so many bytes. */
export function createBudget(limitBytes: number): Budget {
  let used = 0;
  return {
    take(bytes) {
      // One message of any size goes through, or the largest could never be resumed.
      if (used > 0 && used + bytes > limitBytes) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
    },
  };
}

/** The events of one session that may be asked for again: the oldest go first. */
export interface ReplayBuffer {
  add(event: SentEvent): void;
  /** Whether this event was sent and is still known. */
  knows(stream: number, seq: number): boolean;
  /** The events of the stream after this one, in order. */
  after(stream: number, seq: number): SentEvent[];
  /** Forgets everything. */
  clear(): void;
}

/** Makes a buffer of at most {@link MAX_REPLAY_EVENTS} events. */
export function createReplayBuffer(budget: Budget): ReplayBuffer {
  let events: SentEvent[] = [];
  const drop = (count: number): void => {
    for (const event of events.splice(0, count)) budget.give(event.text.length);
  };
  return {
    add(event) {
      if (events.length >= 2 * MAX_REPLAY_EVENTS) drop(events.length - MAX_REPLAY_EVENTS);
      while (!budget.take(event.text.length)) {
        // Another session has it all: then this event cannot be asked for again.
        if (events.length === 0) return;
        drop(1);
      }
      events.push(event);
    },
    knows: (stream, seq) => events.some((event) => event.stream === stream && event.seq === seq),
    after: (stream, seq) => events.filter((event) => event.stream === stream && event.seq > seq),
    clear: () => drop(events.length),
  };
}

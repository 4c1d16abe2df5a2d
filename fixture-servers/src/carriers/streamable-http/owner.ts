import type { EngineState } from '../../engine/state.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { createReplayBuffer, type Budget, type ReplayBuffer } from './replay.ts';
import { MAX_DETACHED } from './bounds.ts';

/** What an engine state belongs to: a session, or the process itself. */
export interface Owner {
  readonly state: EngineState;
  /** The session id; `undefined` for the process. */
  readonly id: string | undefined;
  /** Messages that answer nobody. */
  readonly listen: EventStream;
  /** The answers of this session that are or were on their way, by number, so that a client may resume them. */
  readonly streams: Map<number, EventStream>;
  readonly replay: ReplayBuffer | undefined;
  /** Requests that are not answered yet, by the text of their id. */
  readonly waiting: Map<string, Exchange>;
  /** The revisions that `initialize` named. */
  readonly versions: Set<string>;
  /** Whether the client was told the id. */
  announced: boolean;
}

/** How an owner is made. */
export interface OwnerOptions {
  readonly state: EngineState;
  readonly id: string | undefined;
  readonly nextNumber: () => number;
  readonly budget: Budget;
  /** Whether events have ids. */
  readonly eventIds: boolean;
  /** Whether messages wait for a listening stream. */
  readonly keepsUnheard: () => boolean;
}

/** Makes an owner with a listening stream that nobody reads yet. */
export function createOwner({ state, id, nextNumber, budget, eventIds, keepsUnheard }: OwnerOptions): Owner {
  const replay = eventIds ? createReplayBuffer(budget) : undefined;
  const listen = createEventStream({ number: nextNumber(), replay, keeps: keepsUnheard, budget });
  return {
    state, id, listen, streams: new Map([[listen.number, listen]]), replay, waiting: new Map(), versions: new Set(), announced: false,
  };
}

/**
 * Gives the answer of an exchange a stream; the oldest that is finished or lost makes room.
 * @param onEvicted hears the number of the one that did.
 */
export function addStream(owner: Owner, number: number, budget: Budget, onEvicted: (number: number) => void): EventStream {
  const { replay, streams } = owner;
  const stream = createEventStream({ number, replay, keeps: () => replay !== undefined, budget });
  if (replay === undefined) return stream;
  streams.set(number, stream);
  if (streams.size > MAX_DETACHED) {
    for (const oldest of streams.values()) {
      if (oldest === owner.listen || oldest === stream || oldest.connections.length > 0) continue;
      oldest.discard();
      streams.delete(oldest.number);
      onEvicted(oldest.number);
      break;
    }
  }
  return stream;
}

/** Gives back what a session keeps. */
export function discardOwner(owner: Owner): void {
  for (const stream of owner.streams.values()) stream.discard();
  owner.replay?.clear();
}

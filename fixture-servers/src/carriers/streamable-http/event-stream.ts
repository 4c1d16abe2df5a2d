import type { FrameOptions } from '../../scenario/schema.ts';
import type { Output } from '../output.ts';
import { MAX_KEPT_MESSAGES } from './bounds.ts';
import type { Budget, ReplayBuffer } from './replay.ts';
import { eventText, primingText, type EventFields } from './sse.ts';

/** A response that carries an event stream. */
export interface StreamConnection {
  readonly output: Output;
  /** Asked of the client with the first event of this connection. */
  retryMs: number | undefined;
  /** Ends the response when everything sent has gone out. */
  end(): void;
}

/** A message on its way; one that is sent again carries the number it had. */
interface EventFrame extends FrameOptions {
  readonly again?: number;
}

/**
 * A stream of messages, which may outlive its connection: with event ids a client that lost one asks for the rest on
 * another. What finds no reader is kept, if the stream is told to, or lost.
 */
export interface EventStream {
  readonly number: number;
  readonly connections: readonly StreamConnection[];
  readonly isFinished: boolean;
  send(text: string, frame: FrameOptions | undefined): void;
  /** Bytes as they are, to the newest connection; lost when there is none. */
  raw(bytes: Uint8Array): void;
  /** The text of a message on this connection, with the next id; called as it goes out. */
  encode(connection: StreamConnection, text: string, frame: FrameOptions | undefined): { readonly wire: string; readonly id: string };
  /** An empty event with an id. */
  prime(connection: StreamConnection): { readonly wire: string; readonly id: string };
  /** Messages that found their connection broken. */
  lost(text: string, frame: FrameOptions | undefined, copies: number): void;
  /** Goes on, on this connection too: the newest takes what comes. `after`: the event from which to send again. */
  attach(connection: StreamConnection, after: number | undefined): void;
  detach(connection: StreamConnection): void;
  /** Nothing more will come; ends its connections. */
  finish(): void;
  /** Gives back what it keeps. */
  discard(): void;
}

/** How a stream is made. */
export interface EventStreamOptions {
  readonly number: number;
  /** Where sent events are kept; without it events have no ids. */
  readonly replay: ReplayBuffer | undefined;
  /** Whether what finds no reader is kept. */
  readonly keeps: () => boolean;
  readonly budget: Budget;
}

/** Makes a stream without a connection. */
export function createEventStream({ number, replay, keeps, budget }: EventStreamOptions): EventStream {
  const connections: StreamConnection[] = [];
  let kept: { text: string; frame: FrameOptions | undefined }[] = [];
  let seq = 0;
  let isFinished = false;

  const keep = (text: string, frame: FrameOptions | undefined): void => {
    if (!keeps() || kept.length >= MAX_KEPT_MESSAGES || !budget.take(text.length)) return;
    kept.push({ text, frame });
  };
  const takeKept = (): typeof kept => {
    const taken = kept;
    kept = [];
    for (const { text } of taken) budget.give(text.length);
    return taken;
  };
  const fields = (connection: StreamConnection, id: string): EventFields => {
    const { retryMs } = connection;
    connection.retryMs = undefined;
    return { id: id === '' ? undefined : id, retryMs };
  };
  const nextId = (text: string, again?: number): string => {
    if (replay === undefined) return '';
    if (again !== undefined) return `${number}-${again}`;
    seq += 1;
    replay.add({ stream: number, seq, text });
    return `${number}-${seq}`;
  };

  return {
    number,
    connections,
    get isFinished() {
      return isFinished;
    },
    send(text, frame) {
      const newest = connections.at(-1);
      if (newest === undefined) keep(text, frame);
      else newest.output.send(text, frame);
    },
    raw(bytes) {
      connections.at(-1)?.output.raw(bytes);
    },
    encode(connection, text, frame) {
      const again = frame !== undefined && 'again' in frame && typeof frame.again === 'number' ? frame.again : undefined;
      const id = nextId(text, again);
      // What was primed is sent again as it was.
      const wire = text === '' ? primingText(fields(connection, id)) : eventText(text, frame, fields(connection, id));
      return { wire, id };
    },
    prime(connection) {
      const id = nextId('');
      return { wire: primingText(fields(connection, id)), id };
    },
    lost(text, frame, copies) {
      keep(text, { ...frame, times: copies });
    },
    attach(connection, after) {
      connections.push(connection);
      if (after !== undefined) {
        for (const event of replay?.after(number, after) ?? []) {
          const frame: EventFrame = { again: event.seq };
          connection.output.send(event.text, frame);
        }
      }
      for (const { text, frame } of takeKept()) connection.output.send(text, frame);
      if (isFinished) connection.end();
    },
    detach(connection) {
      const at = connections.indexOf(connection);
      if (at !== -1) connections.splice(at, 1);
    },
    finish() {
      isFinished = true;
      // Each leaves the list as it ends.
      for (const connection of connections.slice()) connection.end();
    },
    discard() {
      takeKept();
    },
  };
}

/** Reads one body of server-sent events to its end, event by event, within a bound (B01, B10). */
import { setImmediate as othersTurn } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { BridgeError } from '../errors.ts';
import { ignore } from './ignore.ts';
import { holdsMoreValues, tooManyValues } from './message-values.ts';
import { PIECE_SIZE, Turn } from './turn.ts';

/** What is told of a stream. Called synchronously; must not throw. */
export interface EventStreamHandlers {
  /** The data of an event that is a message; an event without data is none. */
  readonly onData: (data: string) => void;
  /** The id to resume with from now on; `undefined` when the server took it back. */
  readonly onId: (id: string | undefined) => void;
  /** How long the server wants a client to wait before it comes again, milliseconds, as sent. */
  readonly onRetry: (retryMs: number) => void;
}

/** Bounds of one event (B01). */
export interface EventLimits {
  /** UTF-16 units of its data. */
  readonly maxMessageBytes: number;
  /** Values in its data, see `ConnectionLimits.maxMessageValues`. */
  readonly maxMessageValues: number;
}

/** Longest id that is sent back in a header, UTF-16 units; a stream with longer ones cannot be resumed. */
const LONGEST_ID = 1_000;
/** Lines of one event for each value that a message may hold: JSON that is written for people needs two. */
const LINES_PER_VALUE = 2;
/** What no header may hold. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSENDABLE = /[\u0000-\u0008\u000A-\u001F\u007F]/;

/**
 * Resolves at the end of the stream.
 * @throws BridgeError `limit-exceeded`; what `fetch` throws when the connection breaks or the signal aborts
 */
export async function readEventStream(body: ReadableStream<Uint8Array>, { maxMessageBytes, maxMessageValues }: EventLimits, handlers: EventStreamHandlers): Promise<void> {
  const tooLong = `the server sent an event of more than \`maxMessageBytes\` (${maxMessageBytes}) characters`;
  let refusal: string | undefined;
  const parser = createParser({
    // Of what it holds back, which is more than data: no event within the limit reaches it, however it is cut (B25).
    maxBufferSize: 2 * maxMessageBytes,
    onEvent: ({ id, event, data }) => {
      if (refusal !== undefined) return;
      if (id !== undefined) handlers.onId(id === '' || id.length > LONGEST_ID || UNSENDABLE.test(id) ? undefined : id);
      if (data.length > maxMessageBytes) refusal = tooLong;
      else if (holdsMoreValues(data, maxMessageValues)) refusal = tooManyValues(maxMessageValues);
      else if (data !== '' && (event === undefined || event === 'message')) handlers.onData(data);
    },
    onRetry: handlers.onRetry,
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') refusal = tooLong;
    },
  });
  const decoder = new TextDecoder();
  const withLineFeeds = lineFeeds();
  const lines = eventLines();
  const turn = new Turn();
  const reader = body.getReader();
  let held = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    turn.begin();
    held += withLineFeeds(decoder.decode(next.value, { stream: true }));
    // Until its line ends the parser can only keep it, piece by piece, and a server may send it letter by letter (B01).
    if (held.length < Math.min(PIECE_SIZE, maxMessageBytes) && !held.includes('\n')) continue;
    const text = held;
    held = '';
    for (let from = 0; from < text.length; from += PIECE_SIZE) {
      const piece = text.slice(from, from + PIECE_SIZE);
      if (lines(piece) > LINES_PER_VALUE * maxMessageValues) refusal = tooManyValues(maxMessageValues);
      else parser.feed(piece);
      if (refusal !== undefined) {
        reader.cancel().catch(ignore);
        throw new BridgeError('limit-exceeded', refusal, { executed: 'unknown' });
      }
      if (turn.isOver()) await othersTurn();
    }
  }
}

/** Counts the lines of the event that has not ended, given piece after piece: each costs memory, however little is in it. */
function eventLines(): (text: string) => number {
  let count = 0;
  let isInLine = false;
  return (text) => {
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      count = isInLine || at > from ? count + 1 : 0;
      isInLine = false;
      from = at + 1;
    }
    isInLine ||= from < text.length;
    return count;
  };
}

/** CR and CR LF end a line as LF does. The parser waits for what follows a CR before it believes it, and that may never come. */
function lineFeeds(): (text: string) => string {
  let endedWithCr = false;
  return (text) => {
    if (text === '') return text;
    const rest = endedWithCr && text.startsWith('\n') ? text.slice(1) : text;
    endedWithCr = text.endsWith('\r');
    return rest.replaceAll(/\r\n?/g, '\n');
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { FrameOptions } from '../scenario/schema.ts';
import { framePieces, frameText, isPieced } from './frame-bytes.ts';

/** How many copies go out between two looks at the rest of the world, so that a flood leaves control working. */
const COPIES_PER_TURN = 256;
/** How much a reader may lag before the writer waits for it, in bytes: a file must not make us allocate without limit. */
const HIGH_WATER_BYTES = 8 * 1024 * 1024;
/** How many bytes of short copies are joined into one write where no message ends matter (stderr). */
const JOINED_BYTES = 64 * 1024;
/**
 * How long the writer waits between two pieces of one frame, in milliseconds, so that a reader on another core takes
 * each on its own; on idle cores four reads of five then see one piece. No judgement may rest on it (B25).
 */
const SPLIT_GAP_MS = 2;
/** The same between single bytes, of which there are many. */
const BYTE_GAP_MS = 0.25;

/** How a way out is made. All of it may be left out. */
export interface OutputOptions {
  /** The text of a message on the wire. Default: a line. */
  readonly encode?: ((text: string, frame: FrameOptions | undefined) => string) | undefined;
  /** Whether each copy of a message is encoded for itself, as it goes out. Default false: once. */
  readonly encodesCopies?: boolean | undefined;
  /** Notes what goes out: the text on the wire, its bytes, and the message it is made of, if it is one. */
  readonly note?: ((wire: string, bytes: number, text: string | undefined) => void) | undefined;
  /** The trace that the writer must wait for when it lags; without it nothing is noted. */
  readonly trace?: { readonly isCongested: () => boolean; readonly flushed: () => Promise<void> } | undefined;
  /** Copies of a message that found the stream broken. */
  readonly onLost?: ((text: string, frame: FrameOptions | undefined, copies: number) => void) | undefined;
}

/** One ordered way out of a process. */
export interface Output {
  /** Sends a message, as the options say. */
  send(text: string, frame: FrameOptions | undefined): void;
  /** Sends bytes as they are, so many times. */
  raw(bytes: Uint8Array, times?: number): void;
  /** Resolves when everything sent before has left the process, or the stream is broken. */
  flushed(): Promise<void>;
  /** Whether the reader lags so far behind that the carrier should take no more input. */
  isCongested(): boolean;
  /** Whether nothing queues: what is sent next goes out at once. */
  isIdle(): boolean;
  /** Resolves when nothing queues any more. */
  drained(): Promise<void>;
  /** Bytes that wait in memory. */
  pendingBytes(): number;
  /** The stream is gone: what waits is lost. */
  break(): void;
  /** Calls back once when it is no longer congested. */
  onceRelieved(callback: () => void): void;
}

/** What waits behind a job that takes several writes, or for a slow reader. */
type Job =
  | { readonly kind: 'frame'; readonly text: string; readonly frame: FrameOptions | undefined }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array; readonly times: number };

/**
 * Makes the way out over a stream. A message goes out in one write at once, unless something that takes several writes
 * is on its way or the reader lags: then it queues. Without a `trace` nothing is noted.
 */
export function createOutput(stream: Writable, options: OutputOptions = {}): Output {
  const { encode = frameText, trace, onLost } = options;
  const jobs: Job[] = [];
  let pumping: Promise<void> | undefined;
  let queuedBytes = 0;
  let broken = false;
  let relieved: (() => void)[] = [];
  const unwritten = new Set<() => void>();
  // The client closed its end (EPIPE). A server's answers then go nowhere; the end of input ends the process (B27).
  const breakOff = (): void => {
    broken = true;
    for (const resolve of unwritten) resolve();
    unwritten.clear();
    relieve();
  };
  stream.on('error', breakOff);
  stream.on('drain', () => {
    if (!isCongested()) relieve();
  });
  const isCongested = (): boolean => !broken && stream.writableLength + queuedBytes > HIGH_WATER_BYTES;
  const isBehind = (): boolean => stream.writableLength > HIGH_WATER_BYTES;
  const relieve = (): void => {
    const callbacks = relieved;
    relieved = [];
    for (const callback of callbacks) callback();
  };

  const write = (bytes: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      if (broken) {
        resolve();
        return;
      }
      // A stream that is destroyed may forget who waits for it.
      unwritten.add(resolve);
      stream.write(bytes, () => {
        unwritten.delete(resolve);
        resolve();
      });
    });
  const note = async (wire: string, bytes: number, text: string | undefined): Promise<void> => {
    if (trace === undefined) return;
    options.note?.(wire, bytes, text);
    if (trace.isCongested()) await trace.flushed();
  };

  const performRaw = async ({ bytes, times }: Extract<Job, { kind: 'raw' }>): Promise<void> => {
    const joined = Math.max(1, Math.min(times, Math.floor(JOINED_BYTES / Math.max(1, bytes.length))));
    const many = joined === 1 ? bytes : Buffer.concat(Array.from({ length: joined }, () => bytes));
    for (let left = times; left > 0; left -= joined) {
      const part = left < joined ? many.subarray(0, left * bytes.length) : many;
      await note(Buffer.from(part).toString('utf8'), part.length, undefined);
      await write(part);
      if (broken) return;
    }
  };
  const performFrame = async ({ text, frame }: Extract<Job, { kind: 'frame' }>): Promise<void> => {
    const times = frame?.times ?? 1;
    let line = '';
    let bytes = Buffer.alloc(0);
    for (let copy = 0; copy < times; copy += 1) {
      if (broken) {
        onLost?.(text, frame, times - copy);
        return;
      }
      if (copy === 0 || options.encodesCopies === true) {
        line = encode(text, frame);
        bytes = Buffer.from(line);
      }
      await note(line, bytes.length, text);
      if (isPieced(frame)) {
        const gapMs = frame?.everyByte === true ? BYTE_GAP_MS : SPLIT_GAP_MS;
        for (const piece of framePieces(bytes, frame ?? {})) {
          await write(piece);
          await pause(gapMs);
        }
      } else if (isBehind()) await write(bytes);
      else void write(bytes);
      if (copy % COPIES_PER_TURN === COPIES_PER_TURN - 1) await nextTurn();
    }
  };
  const pump = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      if (isBehind()) await write('');
      await (job.kind === 'raw' ? performRaw(job) : performFrame(job));
      queuedBytes -= sizeOf(job);
      if (!isCongested()) relieve();
    }
    pumping = undefined;
  };
  const enqueue = (job: Job): void => {
    jobs.push(job);
    queuedBytes += sizeOf(job);
    pumping ??= pump();
  };

  return {
    send(text, frame) {
      if (broken) {
        onLost?.(text, frame, frame?.times ?? 1);
        return;
      }
      if (pumping !== undefined || (frame?.times ?? 1) > 1 || isPieced(frame) || isBehind()) {
        enqueue({ kind: 'frame', text, frame });
        return;
      }
      const line = encode(text, frame);
      if (trace !== undefined) options.note?.(line, Buffer.byteLength(line), text);
      stream.write(line);
    },
    raw(bytes, times = 1) {
      if (!broken) enqueue({ kind: 'raw', bytes, times });
    },
    async flushed() {
      await pumping;
      if (!broken && stream.writableLength > 0) await write('');
    },
    isCongested,
    isIdle: () => pumping === undefined,
    async drained() {
      await pumping;
    },
    pendingBytes: () => (broken ? 0 : stream.writableLength + queuedBytes),
    break: breakOff,
    onceRelieved(callback) {
      if (isCongested()) relieved.push(callback);
      else callback();
    },
  };
}

/** Timers are no finer than a millisecond, so this lets turns of the event loop pass until the time is over. */
async function pause(ms: number): Promise<void> {
  const until = performance.now() + ms;
  do await nextTurn();
  while (performance.now() < until);
}

function sizeOf(job: Job): number {
  return job.kind === 'raw' ? job.bytes.length : job.text.length;
}

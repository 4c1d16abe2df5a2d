import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { FrameOptions } from '../scenario/schema.ts';
import type { Recorder } from '../trace/recorder.ts';
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

/** Where frames are noted as they go out. */
export interface OutputTrace {
  readonly recorder: Recorder;
  /** Whether the trace lags so far behind that the writer must wait. */
  readonly isCongested: () => boolean;
  readonly flushed: () => Promise<void>;
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
export function createOutput(stream: Writable, trace?: OutputTrace): Output {
  const jobs: Job[] = [];
  let pumping: Promise<void> | undefined;
  let queuedBytes = 0;
  let broken = false;
  let relieved: (() => void)[] = [];
  stream.on('error', () => {
    // The client closed its end (EPIPE). A server's answers then go nowhere; the end of input ends the process (B27).
    broken = true;
    relieve();
  });
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
      if (broken) resolve();
      else stream.write(bytes, () => resolve());
    });
  const note = async (text: string, bytes: number): Promise<void> => {
    if (trace?.recorder.active !== true) return;
    trace.recorder.frame('server-to-client', withoutEnd(text), bytes);
    if (trace.isCongested()) await trace.flushed();
  };

  const performRaw = async ({ bytes, times }: Extract<Job, { kind: 'raw' }>): Promise<void> => {
    const joined = Math.max(1, Math.min(times, Math.floor(JOINED_BYTES / Math.max(1, bytes.length))));
    const many = joined === 1 ? bytes : Buffer.concat(Array.from({ length: joined }, () => bytes));
    for (let left = times; left > 0; left -= joined) {
      const part = left < joined ? many.subarray(0, left * bytes.length) : many;
      await note(Buffer.from(part).toString('utf8'), part.length);
      await write(part);
      if (broken) return;
    }
  };
  const performFrame = async ({ text, frame }: Extract<Job, { kind: 'frame' }>): Promise<void> => {
    const line = frameText(text, frame);
    const bytes = Buffer.from(line);
    const times = frame?.times ?? 1;
    for (let copy = 0; copy < times; copy += 1) {
      if (broken) return;
      await note(line, bytes.length);
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
      if (broken) return;
      if (pumping !== undefined || (frame?.times ?? 1) > 1 || isPieced(frame) || isBehind()) {
        enqueue({ kind: 'frame', text, frame });
        return;
      }
      const line = frameText(text, frame);
      if (trace?.recorder.active === true) {
        trace.recorder.frame('server-to-client', withoutEnd(line), Buffer.byteLength(line));
      }
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

function withoutEnd(text: string): string {
  if (!text.endsWith('\n')) return text;
  return text.endsWith('\r\n') ? text.slice(0, -2) : text.slice(0, -1);
}

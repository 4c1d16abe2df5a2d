import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { FrameOptions } from '../scenario/schema.ts';
import type { Recorder } from '../trace/recorder.ts';
import { framePieces, frameText, isPieced } from './frame-bytes.ts';

/** How many copies go out between two looks at the rest of the world, so that a flood leaves control working. */
const COPIES_PER_TURN = 256;

/**
 * How long the writer waits between two pieces of one frame, in milliseconds, so that a reader on another core takes
 * each on its own; measured, one read in ten then joins two. No test may rest on it: any chunking must be right (B25).
 */
const SPLIT_GAP_MS = 2;
/** The same between single bytes, of which there are many. */
const BYTE_GAP_MS = 0.25;

/** The one ordered way out of a stdio server. */
export interface Output {
  /** Sends a message, as the options say. */
  send(text: string, frame: FrameOptions | undefined): void;
  /** Sends bytes as they are. */
  raw(bytes: Uint8Array): void;
  /** Resolves when everything sent before has left the process, or the stream is broken. */
  flushed(): Promise<void>;
  /** Whether the reader lags so far behind that the carrier should take no more input. */
  isCongested(): boolean;
  /** Calls back once when it is no longer congested. */
  onceRelieved(callback: () => void): void;
}

/** What waits behind a job that takes several writes. */
type Job =
  | { readonly kind: 'frame'; readonly text: string; readonly frame: FrameOptions | undefined }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array };

/**
 * Makes the way out over a stream. A message goes out in one write at once, unless something that takes several writes
 * is on its way: then it queues behind it. `highWaterBytes`: where congestion begins; default 8 MiB.
 */
export function createOutput(stream: Writable, recorder: Recorder, highWaterBytes: number = 8 * 1024 * 1024): Output {
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
  const isCongested = (): boolean => !broken && stream.writableLength + queuedBytes > highWaterBytes;
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
  const note = (text: string, bytes: number): void => recorder.frame('server-to-client', withoutEnd(text), bytes);

  const perform = async (job: Job): Promise<void> => {
    if (job.kind === 'raw') {
      if (recorder.active) note(Buffer.from(job.bytes).toString('utf8'), job.bytes.length);
      return write(job.bytes);
    }
    const bytes = Buffer.from(frameText(job.text, job.frame));
    const times = job.frame?.times ?? 1;
    for (let copy = 0; copy < times; copy += 1) {
      if (broken) return;
      if (recorder.active) note(bytes.toString('utf8'), bytes.length);
      if (isPieced(job.frame)) {
        const pieceGapMs = job.frame.everyByte === true ? BYTE_GAP_MS : SPLIT_GAP_MS;
        for (const piece of framePieces(bytes, job.frame)) {
          await write(piece);
          await pause(pieceGapMs);
        }
      } else if (copy % COPIES_PER_TURN === COPIES_PER_TURN - 1) {
        await write(bytes);
        await nextTurn();
      } else {
        void write(bytes);
      }
    }
  };
  const pump = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      queuedBytes -= sizeOf(job);
      await perform(job);
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
      if (pumping !== undefined || (frame?.times ?? 1) > 1 || isPieced(frame)) {
        enqueue({ kind: 'frame', text, frame });
        return;
      }
      const line = frameText(text, frame);
      if (recorder.active) note(line, Buffer.byteLength(line));
      stream.write(line);
    },
    raw(bytes) {
      if (!broken) enqueue({ kind: 'raw', bytes });
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

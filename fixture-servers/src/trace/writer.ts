import { closeSync, openSync, writeSync } from 'node:fs';
import type { TraceRecord } from './schema.ts';
import { parseMessage } from '../jsonrpc/message.ts';
import type { RecordSink } from './recorder.ts';
import { MAX_RAW_CHARS } from './version.ts';

/** A trace file that is being written. */
export interface TraceWriter {
  readonly sink: RecordSink;
  /** Writes what is still in memory. */
  flush(): void;
  /** Flushes and closes. */
  close(): void;
}

/** What a writer may be told. */
export interface TraceWriterOptions {
  /** How much of a frame is kept, and so can be parsed; default 1 MiB of text. */
  readonly maxRawChars?: number;
  /** Called once when the file can no longer be written; nothing is written from then on. Without it the error is thrown. */
  readonly onError?: (error: unknown) => void;
}

/** How many characters are gathered before a write, at most; the end of each turn of the event loop writes too. */
const GATHER_CHARS = 256 * 1024;

/**
 * Appends to a trace file, so that the processes of one server may share it. Lines are gathered for one turn of the
 * event loop and written whole; a process killed from outside may lose those of its last turn.
 * @throws Error of the file system when the file cannot be opened.
 */
export function createTraceWriter(path: string, options: TraceWriterOptions = {}): TraceWriter {
  const fd = openSync(path, 'a');
  let gathered = '';
  let scheduled = false;
  let broken = false;
  const flush = (): void => {
    const text = gathered;
    gathered = '';
    if (text === '' || broken) return;
    try {
      writeWhole(fd, Buffer.from(text));
    } catch (error) {
      if (options.onError === undefined) throw error;
      broken = true;
      options.onError(error);
    }
  };
  return {
    sink(line) {
      if (broken) return;
      gathered += `${withMessageText(line, options.maxRawChars ?? MAX_RAW_CHARS)}\n`;
      if (gathered.length > GATHER_CHARS) flush();
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => {
        scheduled = false;
        flush();
      });
    },
    flush,
    close() {
      flush();
      closeSync(fd);
    },
  };
}

/**
 * The line with `message` added, as the text it had on the wire: nothing is written anew, so that numbers keep their
 * digits and a value nested beyond the stack costs nothing.
 */
function withMessageText(line: string, maxRawChars: number): string {
  const record: TraceRecord = JSON.parse(line);
  if (record.kind !== 'frame' || record.raw.length >= maxRawChars) return line;
  const parsed = parseMessage(record.raw);
  if (!parsed.ok) return line;
  const text = record.raw.replace(/^\uFEFF/, '');
  // A line end between its tokens would end the record.
  const message = /[\n\r]/.test(text) ? rewritten(parsed.value) : text;
  return message === undefined ? line : `${line.slice(0, -1)},"message":${message}}`;
}

function rewritten(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A full disk may take a part of a write. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

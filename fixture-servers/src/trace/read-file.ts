import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { messageOf, systemErrorCode } from '../system-error.ts';
import { TraceError } from './error.ts';
import { readRecord } from './reader.ts';
import type { TraceRecord } from './schema.ts';

/**
 * The longest line of a trace that is read, in bytes: a frame keeps 1 MiB of text, a proxy up to 8, each as text and as
 * value, and JSON may write a character in six.
 */
export const MAX_TRACE_LINE_BYTES = 64 * 1024 * 1024;

const LF = 0x0a;

/** One line of a trace file: a record, or what is wrong with it. The lines after a wrong one are read all the same. */
export type TraceLine =
  | { readonly line: number; readonly record: TraceRecord }
  | { readonly line: number; readonly error: TraceError };

/**
 * Reads a trace file line by line, in the memory of one line, whatever its size. Empty lines are skipped.
 * @throws TraceError when the file cannot be read.
 */
export async function* readTraceFile(path: string, maxLineBytes: number = MAX_TRACE_LINE_BYTES): AsyncGenerator<TraceLine> {
  for await (const { line, bytes, ended } of linesOf(path, maxLineBytes)) {
    const read = bytes === undefined
      ? { line, error: new TraceError(path, line, `has more than ${maxLineBytes} bytes; no record is that long`) }
      : readLine(path, line, bytes, ended);
    if (read !== undefined) yield read;
  }
}

function readLine(path: string, line: number, bytes: Buffer, ended: boolean): TraceLine | undefined {
  const text = bytes.toString('utf8');
  if (text.trim() === '') return undefined;
  try {
    if (!isUtf8(bytes)) throw new TraceError(path, line, 'is not UTF-8 text; a trace is JSON, one object a line');
    return { line, record: readRecord(text, path, line, !ended) };
  } catch (error) {
    if (error instanceof TraceError) return { line, error };
    // A value nested beyond the stack: JSON can be parsed deeper than it can be walked.
    return { line, error: new TraceError(path, line, `cannot be read: ${messageOf(error)}`, { cause: error }) };
  }
}

interface RawLine {
  readonly line: number;
  /** Absent when it passed the limit. */
  readonly bytes: Buffer | undefined;
  /** Whether a line end followed. */
  readonly ended: boolean;
}

async function* linesOf(path: string, maxLineBytes: number): AsyncGenerator<RawLine> {
  let line = 1;
  let pending: Buffer[] = [];
  let size = 0;
  const take = (ended: boolean): RawLine => {
    const bytes = size > maxLineBytes ? undefined : Buffer.concat(pending, size);
    pending = [];
    size = 0;
    line += 1;
    return { line: line - 1, bytes, ended };
  };
  const keep = (part: Buffer): void => {
    size += part.length;
    if (size > maxLineBytes) pending = [];
    else pending.push(part);
  };
  try {
    const stream: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 256 * 1024 });
    for await (const chunk of stream) {
      let from = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
        keep(chunk.subarray(from, at));
        yield take(true);
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    }
  } catch (error) {
    throw new TraceError(path, 0, `cannot be read: ${reason(error)}`, { cause: error });
  }
  if (size > 0) yield take(false);
}

function reason(error: unknown): string {
  switch (systemErrorCode(error)) {
    case 'ENOENT':
      return 'there is no such file; correct the path';
    case 'EISDIR':
      return 'it is a folder; name a file in it';
    default:
      return `${messageOf(error)}; name a readable file`;
  }
}

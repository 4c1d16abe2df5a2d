import { closeSync, openSync, writeSync } from 'node:fs';
import type { TraceRecord } from './schema.ts';
import { withMessage } from './message.ts';
import type { RecordSink } from './recorder.ts';

/** A trace file that is being written. */
export interface TraceWriter {
  readonly sink: RecordSink;
  /** Writes what is still in memory. */
  flush(): void;
  /** Flushes and closes. */
  close(): void;
}

/** How many characters are gathered before a write, at most; the end of each turn of the event loop writes too. */
const GATHER_CHARS = 256 * 1024;

/**
 * Appends to a trace file, so that the processes of one server may share it. Lines are gathered for one turn of the
 * event loop and written whole; a process killed from outside may lose those of its last turn.
 * @throws Error of the file system when the file cannot be opened.
 */
export function createTraceWriter(path: string): TraceWriter {
  const fd = openSync(path, 'a');
  let gathered = '';
  let scheduled = false;
  const flush = (): void => {
    const text = gathered;
    gathered = '';
    if (text !== '') writeSync(fd, text);
  };
  return {
    sink(line) {
      const record: TraceRecord = JSON.parse(line);
      gathered += `${JSON.stringify(withMessage(record))}\n`;
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

import { statSync } from 'node:fs';
import { createRecorder, type Recorder, type RecorderIdentity } from '../trace/recorder.ts';
import { createTraceWriter } from '../trace/writer.ts';
import { messageOf } from '../system-error.ts';

/** How much text of one frame a proxy keeps, in characters: an answer that was cut cannot be replayed, and images are large. */
export const PROXY_MAX_RAW_CHARS = 8 * 1024 * 1024;
/** The largest trace file a proxy writes, in bytes, unless told otherwise: 256 MiB. */
export const DEFAULT_MAX_TRACE_BYTES = 256 * 1024 * 1024;

/** A trace file that stops at a bound. */
export interface BoundedTrace {
  readonly recorder: Recorder;
  /** Writes what is in memory and closes the file. */
  close(): void;
}

/**
 * Opens a trace file for a proxy. At `maxBytes`, what the file held before included, a last record says so, and nothing
 * more is written. When the file cannot be written any more, `warn` hears of it once.
 * @throws Error of the file system when the file cannot be opened.
 */
export function createBoundedTrace(
  path: string,
  identity: RecorderIdentity,
  { maxBytes = DEFAULT_MAX_TRACE_BYTES, warn = () => undefined }: { maxBytes?: number; warn?: (message: string) => void } = {},
): BoundedTrace {
  const writer = createTraceWriter(path, {
    maxRawChars: PROXY_MAX_RAW_CHARS,
    onError: (error) => warn(`the trace ${path} cannot be written any more: ${messageOf(error)}; the traffic goes on`),
  });
  let left = maxBytes - statSync(path).size;
  let full = false;
  const recorder = createRecorder(identity, [
    (line) => {
      // A message stands in the file twice, as text and as value.
      left -= line.length * (line.includes('"kind":"frame"') ? 2 : 1);
      if (left >= 0 || full) {
        if (!full) writer.sink(line);
        return;
      }
      full = true;
      const { trace, seq, atMs, server, carrier, pid, incarnation }: Record<string, unknown> = JSON.parse(line);
      const text = `the trace has reached its bound of ${maxBytes} bytes; what came after was passed on and not recorded`;
      writer.sink(JSON.stringify({ trace, seq, atMs, server, carrier, pid, incarnation, kind: 'process', event: 'note', text }));
    },
  ], PROXY_MAX_RAW_CHARS);
  return { recorder, close: () => writer.close() };
}

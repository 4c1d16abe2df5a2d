import { explain } from '../scenario/explain.ts';
import { formatPath } from '../scenario/error.ts';
import { messageOf } from '../system-error.ts';
import { TraceError } from './error.ts';
import { traceRecord, type TraceRecord } from './schema.ts';

export { TraceError } from './error.ts';

/** Reads a trace, JSON lines; empty lines are skipped. `file` names it in errors. @throws TraceError at the first wrong line. */
export function readTrace(text: string, file = 'trace'): TraceRecord[] {
  const records: TraceRecord[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== '') records.push(readRecord(line, file, index + 1, index === lines.length - 1));
  }
  return records;
}

/**
 * Reads one line of a trace. `isCut`: nothing follows it, not even a line end, as when its writer was killed.
 * @throws TraceError
 */
export function readRecord(line: string, file: string, number: number, isCut: boolean): TraceRecord {
  let value: unknown;
  try {
    // An editor may have put a byte order mark before it.
    value = JSON.parse(number === 1 && line.startsWith('\uFEFF') ? line.slice(1) : line);
  } catch (error) {
    const hint = isCut ? 'the last line is cut, as when the process was killed while it wrote; remove it' : 'each line is one JSON object';
    throw new TraceError(file, number, `no JSON (${messageOf(error)}): ${hint}`, { cause: error });
  }
  const parsed = traceRecord.safeParse(value);
  if (parsed.success) return parsed.data;
  const first = explain(traceRecord, value, parsed.error)[0];
  throw new TraceError(file, number, first === undefined ? 'no trace record' : `${formatPath(first.path)} ${first.message}`.trim());
}

import { open } from 'node:fs/promises';
import { messageOf } from '../../system-error.ts';
import { TraceError } from '../error.ts';
import { readTraceFile } from '../read-file.ts';
import type { TraceRecord } from '../schema.ts';
import { createScrubber, type Removal, type ScrubOptions } from './scrubber.ts';

/** What scrubbing a file came to. */
export interface ScrubResult {
  readonly records: number;
  readonly removals: readonly Removal[];
  /** How many lines were no records: left out, since nobody can say what is in them. */
  readonly wrong: number;
}

/**
 * Writes `out`, the trace `file` without its secrets. The file is read twice, line by line: first for secrets under
 * telling names, which are then removed wherever they stand. `onError` hears of each line that is no record.
 * @throws TraceError when a file cannot be read or written
 */
export async function scrubFile(file: string, out: string, options: ScrubOptions, onError: (error: TraceError) => void): Promise<ScrubResult> {
  const scrubber = createScrubber(options);
  for await (const each of readTraceFile(file)) {
    if ('record' in each) attempt(file, each.line, () => scrubber.survey(each.record));
  }
  let records = 0;
  let wrong = 0;
  const target = await creating(out, () => open(out, 'w'));
  try {
    for await (const each of readTraceFile(file)) {
      const line = 'record' in each ? attempt(file, each.line, () => text(scrubber.scrub(each.record))) : each.error;
      if (line instanceof TraceError) {
        wrong += 1;
        onError(line);
      } else {
        records += 1;
        await creating(out, () => target.write(line));
      }
    }
  } finally {
    await target.close();
  }
  return { records, wrong, removals: scrubber.removals() };
}

function text(record: TraceRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** A value may be nested beyond the stack: that costs its own line only. */
function attempt<Value>(file: string, line: number, action: () => Value): Value | TraceError {
  try {
    return action();
  } catch (error) {
    return new TraceError(file, line, `cannot be scrubbed: ${messageOf(error)}`, { cause: error });
  }
}

async function creating<Value>(out: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw new TraceError(out, 0, `cannot be written: ${messageOf(error)}; give --out a file that can be created`, { cause: error });
  }
}

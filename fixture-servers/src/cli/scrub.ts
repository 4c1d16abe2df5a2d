import { printable } from '../trace/printable.ts';
import { scrubFile } from '../trace/scrub/scrub-file.ts';
import { compilePattern, PatternError } from '../trace/scrub/user-patterns.ts';
import type { Matcher } from '../trace/scrub/secret-text.ts';
import { isReadOnce, isSameFile } from './same-file.ts';
import { UsageError } from './usage-error.ts';

/** The options of `scrub`. */
export interface ScrubFlags {
  readonly out: string;
  readonly key?: readonly string[];
  readonly pattern?: readonly string[];
}

/**
 * Scrubs a trace and lists what was removed.
 * @returns how many lines were wrong and left out
 * @throws TraceError, UsageError
 */
export async function scrub(file: string, flags: ScrubFlags, write: (line: string) => void): Promise<number> {
  if (isSameFile(file, flags.out)) throw new UsageError('--out is the trace itself', 'give --out another file');
  if (isReadOnce(file)) throw new UsageError(`${file} is a pipe or a device, and a trace is read twice`, 'save it as a file first');
  const { records, removals, wrong } = await scrubFile(
    file, flags.out, { keys: flags.key ?? [], patterns: (flags.pattern ?? []).map(compile) },
    (error) => process.stderr.write(`${printable(error.message)}\n`),
  );
  for (const { count, kind, where } of removals) write(`${String(count).padStart(6)}  ${kind.padEnd(13)}  ${printable(where)}`);
  const total = removals.reduce((sum, { count }) => sum + count, 0);
  write(`${printable(flags.out)}: ${records} records, ${total === 0 ? 'no secrets found' : `${total} secrets removed`}; read it before you publish it`);
  if (wrong > 0) process.stderr.write(`${printable(file)}: ${wrong} wrong ${wrong === 1 ? 'line was' : 'lines were'} left out\n`);
  return wrong;
}

function compile(source: string): Matcher {
  try {
    return compilePattern(source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new UsageError(error.message, 'give --pattern an RE2 expression (no look-around, no back references)');
  }
}

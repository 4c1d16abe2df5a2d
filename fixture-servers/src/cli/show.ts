import pc from 'picocolors';
import { createDiagram } from '../trace/diagram.ts';
import { printable } from '../trace/printable.ts';
import { readTraceFile } from '../trace/read-file.ts';
import { positive } from './number-option.ts';

/** The options of `show`. */
export interface ShowFlags {
  readonly server?: string;
  readonly width?: string;
}

/** Columns when the output is no terminal. */
const DEFAULT_WIDTH = 100;

/**
 * Draws a trace on stdout; wrong lines are named on stderr, and the others drawn.
 * @returns how many lines were wrong
 * @throws TraceError when the file cannot be read, UsageError
 */
export async function show(file: string, flags: ShowFlags): Promise<number> {
  const width = flags.width === undefined ? (process.stdout.columns ?? DEFAULT_WIDTH) : positive('--width', flags.width);
  const diagram = createDiagram({ width, colors: pc.isColorSupported });
  let wrong = 0;
  for await (const each of readTraceFile(file)) {
    if ('error' in each) {
      wrong += 1;
      process.stderr.write(`${printable(each.error.message)}\n`);
    } else if (flags.server === undefined || each.record.server === flags.server) {
      for (const line of diagram.push(each.record)) await print(line);
    }
    if (process.stdout.writableEnded || process.stdout.destroyed) return wrong;
  }
  for (const line of diagram.end()) await print(line);
  if (wrong > 0) process.stderr.write(`${printable(file)}: ${wrong} wrong ${wrong === 1 ? 'line was' : 'lines were'} left out\n`);
  return wrong;
}

/** A slow reader must not make us keep the whole diagram. */
async function print(line: string): Promise<void> {
  if (process.stdout.write(`${line}\n`) || process.stdout.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      process.stdout.off('drain', done);
      process.stdout.off('close', done);
      resolve();
    };
    process.stdout.on('drain', done);
    process.stdout.on('close', done);
  });
}

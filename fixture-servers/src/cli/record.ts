import { rmSync, statSync } from 'node:fs';
import { createBoundedTrace, type BoundedTrace } from '../proxy/bounded-trace.ts';
import { createFdOutput } from '../proxy/fd-output.ts';
import { recordStdio, type ServerEnding } from '../proxy/record-stdio.ts';
import { prepareRunFolder } from '../carriers/incarnations.ts';
import type { RecorderIdentity } from '../trace/recorder.ts';
import { messageOf, systemErrorCode } from '../system-error.ts';
import { defaultPath, nameOf } from './server-name.ts';
import { positive } from './number-option.ts';
import { UsageError } from './usage-error.ts';

/** The options of `record`. */
export interface RecordFlags {
  readonly http?: string;
  readonly out?: string;
  readonly name?: string;
  readonly run?: string;
  readonly maxBytes: string;
  readonly port?: string;
}

/** The exit codes of a shell for a command that cannot be run, and for one that is not there. */
const EXIT_NOT_RUNNABLE = 126;
const EXIT_NOT_FOUND = 127;
/** How long a signal that we send ourselves may take to end us, in milliseconds. */
const SIGNAL_MS = 1_000;
const FIRST_SIGNAL_EXIT = 128;

/** Records a server, over stdio or HTTP, until it ends. @throws UsageError */
export async function record(command: readonly string[], flags: RecordFlags): Promise<void> {
  const maxBytes = positive('--max-bytes', flags.maxBytes);
  const [program, ...args] = command;
  if (flags.http !== undefined) {
    if (program !== undefined) throw new UsageError('--http takes no command', 'give either --http <url> or a command after --');
    await (await import('./record-http.ts')).recordHttpUrl(flags.http, { ...flags, maxBytes }, openTrace);
    return;
  }
  if (program === undefined) throw new UsageError('no server was given', 'write its command after --, or give --http <url>');
  if (flags.port !== undefined) throw new UsageError('--port goes with --http', 'leave --port out');
  prepare(flags.run);
  const server = flags.name ?? nameOf(command);
  let trace: BoundedTrace | undefined;
  const path = flags.out ?? defaultPath(server);
  const probe = openTrace(path, { server, carrier: 'stdio', pid: process.pid }, maxBytes);
  probe.close();
  let ending: ServerEnding;
  try {
    ending = await recordStdio({
      command: program, args, runFolder: flags.run,
      stdin: process.stdin, stdout: createFdOutput(1), stderr: createFdOutput(2),
      recorderFor: (pid) => {
        trace = openTrace(path, { server, carrier: 'stdio', pid }, maxBytes);
        return trace.recorder;
      },
    });
  } catch (error) {
    // Nothing was recorded: leave nothing behind.
    if (statSync(path).size === 0) rmSync(path);
    const isMissing = systemErrorCode(error) === 'ENOENT';
    process.stderr.write(`mcp-fixture-server: ${program} cannot be started: ${messageOf(error)}${isMissing ? '; correct the command after --' : ''}\n`, () => {
      process.exit(isMissing ? EXIT_NOT_FOUND : EXIT_NOT_RUNNABLE);
    });
    return;
  }
  trace?.close();
  endLike(ending);
}

/** Ends this process as the server ended. */
function endLike({ code, signal }: ServerEnding): void {
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(FIRST_SIGNAL_EXIT), SIGNAL_MS);
}

function openTrace(path: string, identity: RecorderIdentity, maxBytes: number): BoundedTrace {
  try {
    return createBoundedTrace(path, identity, { maxBytes, warn: (message) => process.stderr.write(`mcp-fixture-server: ${message}\n`) });
  } catch (error) {
    throw new UsageError(`the trace cannot be written: ${messageOf(error)}`, 'give --out a file that can be created');
  }
}

function prepare(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    prepareRunFolder(folder);
  } catch (error) {
    throw new UsageError(`the run folder ${folder} cannot be used: ${messageOf(error)}`, 'give --run a folder that can be created and written');
  }
}

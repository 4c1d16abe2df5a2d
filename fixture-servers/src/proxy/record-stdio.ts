/** Stands in for a stdio server: every byte, the exit code and the signals pass; the trace sees them go by. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { claimIncarnation } from '../carriers/incarnations.ts';
import type { Recorder } from '../trace/recorder.ts';
import type { FrameRecord } from '../trace/schema.ts';
import { PROXY_MAX_RAW_CHARS } from './bounded-trace.ts';
import { createLineTap } from './line-tap.ts';
import { passOn } from './pass-on.ts';
import { startWatchdog } from './watchdog.ts';

/** What is passed on to the server. A signal sent to our whole process group reaches it twice. */
const FORWARDED: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
/** How long output that a helper of the ended server still holds open must be quiet before we end too, in milliseconds. */
const QUIET_MS = 200;
/** The longest we stay for such a helper, in milliseconds. */
const MAX_LINGER_MS = 2_000;

/** How a recorded server ended. */
export interface ServerEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Where a recorded server is attached. */
export interface RecordStdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Made when the process id of the server is known. */
  readonly recorderFor: (pid: number) => Recorder;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Where incarnations are counted; without it every process is the first. */
  readonly runFolder?: string | undefined;
}

/**
 * Runs the server until it has ended and its output has been handed over.
 * @throws Error of the system when it cannot be started
 */
export async function recordStdio(options: RecordStdioOptions): Promise<ServerEnding> {
  const child = spawn(options.command, [...options.args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<ServerEnding>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  let recorder: Recorder | undefined;
  let giveUp = nothing;
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const forward = (signal: NodeJS.Signals): void => {
    recorder?.record({ kind: 'process', event: 'note', signal, text: `the client sent ${signal}` });
    // The server is gone: the signal is for us, who wait for a reader that does not read.
    if (child.exitCode !== null || child.signalCode !== null) setTimeout(giveUp, MAX_LINGER_MS);
    else child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.on('error', () => undefined);
  const watchdog = startWatchdog(child.pid ?? 0);
  recorder = options.recorderFor(child.pid ?? 0);
  recorder.record({ kind: 'process', event: 'start' });
  const output = attach(child, options, recorder);
  const { code, signal } = await ended;
  watchdog.dismiss();
  await Promise.race([output.finished(), givenUp]);
  recorder.record({ kind: 'process', event: 'exit', ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }) });
  for (const forwarded of FORWARDED) process.off(forwarded, forward);
  return { code, signal };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function attach(child: Child, options: RecordStdioOptions, recorder: Recorder): { finished(): Promise<void> } {
  const count = createCount(recorder, options.runFolder);
  const frames = (direction: FrameRecord['direction']): { look: (chunk: Buffer) => void; end: () => void } => {
    const tap = createLineTap(PROXY_MAX_RAW_CHARS);
    const frame = ({ text, bytes }: { text: string; bytes: number }): void => {
      if (direction === 'client-to-server') count(text);
      recorder.frame(direction, text, bytes);
    };
    return {
      look: (chunk) => tap.look(chunk).forEach(frame),
      end: () => {
        const rest = tap.rest();
        if (rest !== undefined) frame(rest);
      },
    };
  };
  const input = frames('client-to-server');
  passOn(options.stdin, child.stdin, {
    look: input.look,
    end: () => {
      input.end();
      recorder.record({ kind: 'process', event: 'input-end' });
    },
  });
  const out = passOn(child.stdout, options.stdout, frames('server-to-client'));
  const err = passOn(child.stderr, options.stderr, errors(recorder));
  return {
    async finished() {
      await Promise.all([out.finished(QUIET_MS, MAX_LINGER_MS), err.finished(QUIET_MS, MAX_LINGER_MS)]);
    },
  };
}

function errors(recorder: Recorder): { look: (chunk: Buffer) => void; end: () => void } {
  const tap = createLineTap(PROXY_MAX_RAW_CHARS);
  const note = (text: string): void => recorder.record({ kind: 'process', event: 'stderr', text });
  return {
    look(chunk) {
      const lines = tap.look(chunk);
      if (lines.length > 0) note(`${lines.map(({ text }) => text).join('\n')}\n`);
    },
    end() {
      const rest = tap.rest();
      if (rest !== undefined) note(rest.text);
    },
  };
}

/** A process counts once it received `initialize`, as a fixture does. */
function createCount(recorder: Recorder, runFolder: string | undefined): (text: string) => void {
  let counted = false;
  return (text) => {
    if (counted || !text.includes('"initialize"')) return;
    counted = true;
    try {
      recorder.setIncarnation(claimIncarnation(runFolder));
      recorder.record({ kind: 'process', event: 'incarnation' });
    } catch (error) {
      recorder.record({ kind: 'process', event: 'note', text: `the incarnation could not be counted: ${String(error)}` });
    }
  };
}

function nothing(): void {
  // Until there is something to give up.
}

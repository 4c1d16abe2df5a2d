import { constants } from 'node:os';
import { claimIncarnation, prepareRunFolder } from '../carriers/incarnations.ts';
import { deferred } from '../control/deferred.ts';
import { replayHttp, type HttpReplay } from '../proxy/replay/replay-http.ts';
import { replayStdio, type ReplayEnding } from '../proxy/replay/replay-stdio.ts';
import { loadConversations, type Conversations } from '../trace/conversation/load.ts';
import { printable } from '../trace/printable.ts';
import { messageOf } from '../system-error.ts';
import { positive } from './number-option.ts';
import { UsageError } from './usage-error.ts';

/** The options of `replay`. */
export interface ReplayFlags {
  readonly server?: string;
  readonly run?: string;
  readonly http?: boolean;
  readonly port?: string;
}

const MAX_PORT = 65_535;
/** How long a signal that we send ourselves may take to end us, in milliseconds. */
const SIGNAL_MS = 1_000;

/** Answers a client from a trace until the end. @throws TraceError, UsageError */
export async function replay(file: string, flags: ReplayFlags): Promise<void> {
  const conversations = await loadConversations(file, flags.server, (error) => process.stderr.write(`${printable(error.message)}; left out\n`));
  if (flags.port !== undefined && flags.http !== true) throw new UsageError('--port goes with --http', 'leave --port out');
  if (flags.run !== undefined && flags.http === true) throw new UsageError('--run goes with stdio', 'leave --run out: over HTTP each session is the next of the trace');
  const { code, signal, complaints } = flags.http === true
    ? await overHttp(conversations, flags.port === undefined ? 0 : positive('--port', flags.port, MAX_PORT))
    : await replayStdio(conversations, claim(flags.run), process);
  if (complaints.length > 0) process.stderr.write(`mcp-fixture-server: replay: the trace did not have all that was asked:\n${complaints.map((text) => `  ${text}\n`).join('')}`);
  if (signal === undefined || !Object.hasOwn(constants.signals, signal)) process.exit(code);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(code), SIGNAL_MS);
}

/** Serves until SIGINT, SIGTERM, or the recorded process ended. */
async function overHttp(conversations: Conversations, port: number): Promise<ReplayEnding> {
  const ended = deferred<{ code: number | undefined; signal: string | undefined }>();
  let server: HttpReplay;
  try {
    server = await replayHttp(conversations, port, {
      stderr: (text) => void process.stderr.write(text),
      complain: (text) => void process.stderr.write(`mcp-fixture-server: replay: ${text}\n`),
      end: ended.resolve,
    });
  } catch (error) {
    throw new UsageError(`the replay cannot listen: ${messageOf(error)}`, 'give --port a free port, or leave it out');
  }
  process.stdout.write(`${server.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve({ code: 0, signal: undefined }));
  const { code, signal } = await ended.promise;
  server.close();
  return { code: code ?? 0, signal, complaints: server.complaints() };
}

function claim(folder: string | undefined): number {
  if (folder === undefined) return 1;
  try {
    prepareRunFolder(folder);
    return claimIncarnation(folder);
  } catch (error) {
    throw new UsageError(`the run folder ${folder} cannot be used: ${messageOf(error)}`, 'give --run a folder that can be created and written');
  }
}

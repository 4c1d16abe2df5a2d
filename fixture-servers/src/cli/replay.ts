import { constants } from 'node:os';
import { claimIncarnation, prepareRunFolder } from '../carriers/incarnations.ts';
import { replayStdio } from '../proxy/replay/replay-stdio.ts';
import { loadConversations } from '../trace/conversation/load.ts';
import { printable } from '../trace/printable.ts';
import { messageOf } from '../system-error.ts';
import { UsageError } from './usage-error.ts';

/** The options of `replay`. */
export interface ReplayFlags {
  readonly server?: string;
  readonly run?: string;
  readonly http?: boolean;
  readonly port?: string;
}

/** How long a signal that we send ourselves may take to end us, in milliseconds. */
const SIGNAL_MS = 1_000;

/** Answers a client from a trace until the end. @throws TraceError, UsageError */
export async function replay(file: string, flags: ReplayFlags): Promise<void> {
  const conversations = await loadConversations(file, flags.server, (error) => process.stderr.write(`${printable(error.message)}; left out\n`));
  if (flags.http === true) throw new UsageError('replay --http is not built yet', 'replay on stdio');
  if (flags.port !== undefined) throw new UsageError('--port goes with --http', 'leave --port out');
  const { code, signal, complaints } = await replayStdio(conversations, claim(flags.run), process);
  if (complaints.length > 0) process.stderr.write(`mcp-fixture-server: replay: the trace did not have all that was asked:\n${complaints.map((text) => `  ${text}\n`).join('')}`);
  if (signal === undefined || !Object.hasOwn(constants.signals, signal)) process.exit(code);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(code), SIGNAL_MS);
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

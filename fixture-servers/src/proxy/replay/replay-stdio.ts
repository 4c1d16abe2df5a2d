/** Replays on standard streams: one process is one life of the trace. */
import type { Readable, Writable } from 'node:stream';
import { createOutput } from '../../carriers/output.ts';
import { createLineSplitter } from '../../jsonrpc/framing.ts';
import { parseMessage } from '../../jsonrpc/message.ts';
import type { Conversations } from '../../trace/conversation/load.ts';
import { deferred } from '../../control/deferred.ts';
import { createReplayer } from './replayer.ts';

/** How long an ending process waits for its client to read what was sent, in milliseconds. */
const FLUSH_LIMIT_MS = 2_000;

/** How a replay ended, as its recording did. */
export interface ReplayEnding {
  readonly code: number;
  readonly signal: string | undefined;
  /** What could not be answered. */
  readonly complaints: readonly string[];
}

/** Serves until the input ends or the recorded process ended. */
export async function replayStdio(
  conversations: Conversations, incarnation: number, { stdin, stdout, stderr }: { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable },
): Promise<ReplayEnding> {
  const output = createOutput(stdout);
  const errors = createOutput(stderr);
  const splitter = createLineSplitter();
  const { promise: finished, resolve: finish } = deferred<{ code?: number | undefined; signal?: string | undefined }>();
  let over = false;
  const replayer = createReplayer<undefined>(conversations, incarnation, {
    send: (text) => {
      // As it was, unescaped separators included.
      if (!over) output.send(text, { rawSeparators: true });
    },
    raw: (text, ended) => {
      if (!over) output.raw(Buffer.from(ended ? `${text}\n` : text));
    },
    stderr: (text) => errors.raw(Buffer.from(text)),
    end: (how) => {
      over = true;
      finish(how);
    },
    complain: (text) => errors.raw(Buffer.from(`mcp-fixture-server: replay: ${text}\n`)),
  });
  let inputEnded = false;
  const inputEnd = (): void => {
    if (over || inputEnded) return;
    inputEnded = true;
    void leave();
  };
  /** Turns in one of their short pauses come to their end first. */
  const leave = async (): Promise<void> => {
    await replayer.idle();
    if (over) return;
    replayer.inputEnd(undefined);
    await replayer.idle();
    finish({ code: 0 });
    over = true;
  };
  stdin.on('data', (chunk: Buffer) => {
    if (over) return;
    try {
      for (const line of splitter.push(chunk)) if (!over) replayer.message(parseMessage(line.text), undefined);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      errors.raw(Buffer.from(`mcp-fixture-server: ${error.message}; the input is given up\n`));
      stdin.destroy();
      inputEnd();
      return;
    }
    if (!output.isCongested()) return;
    stdin.pause();
    output.onceRelieved(() => stdin.resume());
  });
  stdin.on('end', inputEnd);
  stdin.on('error', inputEnd);
  replayer.start(undefined);
  const { code, signal } = await finished;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FLUSH_LIMIT_MS);
  });
  await Promise.race([Promise.all([output.flushed(), errors.flushed()]), limit]);
  clearTimeout(timer);
  return { code: code ?? 0, signal, complaints: replayer.complaints() };
}

/** A child process in memory, which answers each request with the bytes that it is given. */
import { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import type { ConnectionEffects } from '../../src/client-session.ts';
import type { PipedChild } from '../../src/process/process-tree.ts';
import { isObject } from '../../src/transport/narrow.ts';
import { anyBytes, anyCuts, cut, type Cuts } from './chunkings.ts';
import { answerTo, soundAnswer, strayMessage, withId } from './mcp-texts.ts';

/** One thing that a server writes or does. */
export type Act =
  | { readonly line: string; readonly end: string }
  | { readonly bytes: Buffer }
  | { readonly stderr: Buffer }
  | { readonly exit: number | NodeJS.Signals }
  | { readonly closeStdout: true }
  | { readonly breakStdin: true };

/** What a server does for each method, and how its output is cut. */
export interface StdioScript {
  readonly initialize: readonly Act[];
  readonly 'tools/list': readonly Act[];
  readonly 'tools/call': readonly Act[];
  readonly cuts: Cuts;
}

const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n', '\r\r\n', '');
const stray: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ line: strayMessage, end: lineEnd }) },
  { weight: 3, arbitrary: anyBytes.map((bytes) => ({ bytes })) },
  { weight: 1, arbitrary: anyBytes.map((stderr) => ({ stderr })) },
);
const last: fc.Arbitrary<Act[]> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Act[]>([]) },
  { weight: 1, arbitrary: fc.constantFrom<Act[][]>([{ exit: 0 }], [{ exit: 3 }], [{ exit: 'SIGSEGV' }], [{ closeStdout: true }], [{ breakStdin: true }]) },
);

function actsFor(method: string): fc.Arbitrary<readonly Act[]> {
  const answer = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Act>({ line: soundAnswer(method), end: '\n' }) },
    { weight: 4, arbitrary: fc.record({ line: answerTo(method), end: lineEnd }) },
  );
  return fc.tuple(fc.array(stray, { maxLength: 3 }), answer, fc.array(stray, { maxLength: 1 }), last).map((parts) => parts.flat());
}

/** Any server. */
export const anyStdioScript: fc.Arbitrary<StdioScript> = fc.record({
  initialize: actsFor('initialize'), 'tools/list': actsFor('tools/list'), 'tools/call': actsFor('tools/call'), cuts: anyCuts,
});

/** A server that does everything as it should. */
export const SOUND_STDIO: StdioScript = {
  initialize: [{ line: soundAnswer('initialize'), end: '\n' }],
  'tools/list': [{ line: soundAnswer('tools/list'), end: '\n' }],
  'tools/call': [{ line: soundAnswer('tools/call'), end: '\n' }],
  cuts: [],
};

/** The outside world of a session that starts such a server in place of a process. */
export function stdioEffects(script: StdioScript): ConnectionEffects {
  let isAlive = true;
  let child: PipedChild | undefined;
  const exit = (how: number | NodeJS.Signals): void => {
    if (!isAlive) return;
    isAlive = false;
    setImmediate(() => child?.emit('exit', typeof how === 'number' ? how : null, typeof how === 'number' ? null : how));
  };
  return {
    ambientEnv: {},
    spawn: () => {
      child = runScript(script, exit);
      return child;
    },
    control: {
      spawnOptions: { detached: true },
      treeOf: () => ({
        signal: (signal) => {
          exit(signal);
          return true;
        },
        isAlive: () => isAlive,
      }),
    },
  };
}

function runScript(script: StdioScript, exit: (how: number | NodeJS.Signals) => void): PipedChild {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let unread = '';
  const answer = (line: string): void => {
    const request: unknown = JSON.parse(line);
    if (!isObject(request) || request['id'] === undefined) return;
    const { method, id } = request;
    if (method === 'initialize' || method === 'tools/list' || method === 'tools/call') act(script[method], id);
  };
  const act = (acts: readonly Act[], id: unknown): void => {
    const output = acts.flatMap((one) => ('line' in one ? [Buffer.from(`${withId(one.line, id)}${one.end}`)] : 'bytes' in one ? [one.bytes] : []));
    for (const piece of cut(Buffer.concat(output), script.cuts)) if (stdout.writable) stdout.write(piece);
    for (const one of acts) {
      if ('stderr' in one && stderr.writable) stderr.write(one.stderr);
      else if ('exit' in one) exit(one.exit);
      else if ('closeStdout' in one) stdout.end();
      else if ('breakStdin' in one) stdin.destroy(new Error('EPIPE'));
    }
  };
  stdin.on('data', (chunk: Buffer) => {
    const lines = `${unread}${chunk.toString()}`.split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) answer(line);
  });
  stdin.on('end', () => exit(0));
  return Object.assign(new ChildProcess(), { pid: 4_000_000, stdin, stdout, stderr });
}

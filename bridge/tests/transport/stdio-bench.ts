/** A transport over a child whose exit and output come when a test says so; real ones cannot be made to race. */
import { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { resolveConnectionLimits, type ConnectionLimits } from '../../src/connection-limits.ts';
import { createRedactor } from '../../src/transport/redact.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { StdioTransport } from '../../src/transport/stdio-transport.ts';

type Seen = JSONRPCMessage | 'closed';

/** See the module's comment. */
export interface Bench {
  readonly transport: StdioTransport;
  readonly child: ChildProcess;
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  readonly seen: Seen[];
  readonly errors: Error[];
}

/** One that is not started. */
export function bench(limits: Partial<ConnectionLimits> = {}, spawn?: () => never): Bench {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const child = Object.assign(new ChildProcess(), { pid: 4_000_000, stdin, stdout, stderr });
  const seen: Seen[] = [];
  const errors: Error[] = [];
  const transport = new StdioTransport({
    program: { command: 'fake', args: [], env: {}, cwd: undefined },
    limits: resolveConnectionLimits({ closeGraceMs: 10, terminateGraceMs: 10, killWaitMs: 10, ...limits }),
    redact: createRedactor(),
    reports: new ReportLimiter(() => {}, 10, () => 0),
    effects: {
      spawn: spawn ?? (() => child),
      control: { spawnOptions: { detached: true }, treeOf: () => ({ signal: () => false, isAlive: () => false }) },
    },
  });
  Object.assign(transport, {
    onmessage: (message: JSONRPCMessage) => seen.push(message),
    onclose: () => seen.push('closed'),
    onerror: (error: Error) => errors.push(error),
  });
  return { transport, child, stdin, stdout, stderr, seen, errors };
}

/** One that is started. */
export async function start(limits?: Partial<ConnectionLimits>): Promise<Bench> {
  const made = bench(limits);
  await made.transport.start();
  return made;
}

/** A message, and as it is written. */
export const MESSAGE: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: {} };
export const LINE = `${JSON.stringify(MESSAGE)}\n`;

import { ChildProcess } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { resolveConnectionLimits } from '../../src/connection-limits.ts';
import { createRedactor } from '../../src/transport/redact.ts';
import { ReportLimiter } from '../../src/transport/report-limiter.ts';
import { StdioTransport } from '../../src/transport/stdio-transport.ts';

type Seen = JSONRPCMessage | 'closed';

/** A child whose exit and output come when the test says so; real ones cannot be made to race. */
async function start(): Promise<{ transport: StdioTransport; child: ChildProcess; stdin: PassThrough; stdout: PassThrough; seen: Seen[] }> {
  const child = new ChildProcess();
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  Object.assign(child, { pid: 4_000_000, stdin, stdout, stderr: new PassThrough() });
  const seen: Seen[] = [];
  const transport = new StdioTransport({
    program: { command: 'fake', args: [], env: {}, cwd: undefined },
    limits: resolveConnectionLimits({ closeGraceMs: 10, terminateGraceMs: 10 }),
    redact: createRedactor(),
    reports: new ReportLimiter(() => {}, 10, () => 0),
    effects: {
      spawn: () => child,
      control: { spawnOptions: { detached: true }, treeOf: () => ({ signal: () => false, isAlive: () => false }) },
    },
  });
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => seen.push(message), onclose: () => seen.push('closed') });
  await transport.start();
  return { transport, child, stdin, stdout, seen };
}

const MESSAGE: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: {} };
const LINE = `${JSON.stringify(MESSAGE)}\n`;

describe('StdioTransport', () => {
  it('delivers what comes out of the pipe after the exit was reported, and then ends', async () => {
    const { transport, child, stdout, seen } = await start();
    child.emit('exit', 0, null);
    setImmediate(() => stdout.write(LINE));
    await transport.closed;
    expect(seen).toEqual([MESSAGE, 'closed']);
  });

  it('ends within its time although somebody goes on writing to the pipe', async () => {
    const { transport, child, stdout, seen } = await start();
    child.emit('exit', 0, null);
    const write = (): void => {
      if (stdout.destroyed) return;
      stdout.write(LINE);
      setImmediate(write);
    };
    write();
    await transport.closed;
    expect(seen.at(-1)).toBe('closed');
    expect(seen.filter((one) => one === 'closed')).toHaveLength(1);
  });

  it('keeps the reason of a process that ended before it was closed', async () => {
    const { transport, child } = await start();
    child.emit('exit', 5, null);
    await transport.close();
    expect(await transport.closed).toEqual({ kind: 'exit', detail: 'the process exited with code 5' });
  });

  it('refuses to send once the process has ended, before the end is announced', async () => {
    const { transport, child, seen } = await start();
    child.emit('exit', 0, null);
    await expect(transport.send(MESSAGE)).rejects.toMatchObject({ code: 'not-connected', executed: 'no' });
    expect(seen).toEqual([]);
    await transport.closed;
  });

  it('is started once', async () => {
    const { transport, child } = await start();
    await expect(transport.start()).rejects.toMatchObject({ code: 'connect-failed' });
    child.emit('exit', 0, null);
    await transport.closed;
  });

  it('shares one wait among all senders while the pipe is full', async () => {
    const { transport, child, stdin } = await start();
    const big: JSONRPCMessage = { jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(100_000) } };
    const sends = Array.from({ length: 50 }, () => transport.send(big));
    expect(stdin.listenerCount('drain')).toBe(1);
    stdin.resume();
    await Promise.all(sends);
    child.emit('exit', 0, null);
    await transport.closed;
  });
});

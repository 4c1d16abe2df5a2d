import { once } from 'node:events';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { bench, LINE, MESSAGE, start } from './stdio-bench.ts';

/** What is said of a child that writes this to stdout and exits. */
async function died(...writes: readonly string[]): Promise<string> {
  const { transport, child, stdout } = await start();
  for (const text of writes) stdout.write(text);
  child.emit('exit', 1, null);
  return (await transport.closed).detail;
}

describe('StdioTransport', () => {
  it('quotes the last line of noise where a server that dies wrote its error to stdout (B06)', async () => {
    expect(await died('starting\n', 'Error: no key\n')).toBe('the process exited with code 1; its stdout ended with:\nError: no key');
    // What came before a message is no last word.
    expect(await died('Error: no key\n', LINE)).toBe('the process exited with code 1');
    expect(await died(`${'x'.repeat(5_000)}\n`)).toMatch(/ended with:\nx{2048}…$/);
  });

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

  it('sends nothing before it is started', async () => {
    await expect(bench().transport.send(MESSAGE)).rejects.toMatchObject({ code: 'not-connected', executed: 'no' });
  });

  it('can be closed before it is started, and is not started afterwards', async () => {
    const { transport, seen } = bench();
    await transport.close();
    expect(await transport.closed).toEqual({ kind: 'closed-by-bridge', detail: 'closed before it was started' });
    expect(seen).toEqual(['closed']);
    await expect(transport.start()).rejects.toMatchObject({ code: 'connect-failed' });
  });

  it('closes a process that it was still starting when it was closed', async () => {
    const { transport, child, stdin } = bench({ closeGraceMs: 60_000 });
    const starting = transport.start();
    const closing = transport.close();
    await starting;
    expect(stdin.writableEnded).toBe(true);
    child.emit('exit', 0, null);
    await closing;
    expect(await transport.closed).toEqual({ kind: 'closed-by-bridge', detail: 'closed by the bridge' });
  });

  it.each<readonly [string, unknown]>([
    ['an error', new Error('broken')],
    ['anything else', 'broken'],
  ])('goes on when a handler throws %s, and tells of it (B27)', async (_what, thrown) => {
    const { transport, child, stdout, seen, errors } = await start();
    let first = true;
    Object.assign(transport, {
      onmessage: (message: JSONRPCMessage) => {
        if (!first) return seen.push(message);
        first = false;
        throw thrown;
      },
    });
    stdout.write(LINE);
    stdout.write(LINE);
    child.emit('exit', 0, null);
    await transport.closed;
    expect(errors.map(({ message }) => message)).toEqual(['broken']);
    expect(seen).toEqual([MESSAGE, 'closed']);
  });

  it('takes a signal that the system could not send to a running server for no end of it', async () => {
    const { transport, child, stdout, seen, errors } = await start();
    child.emit('error', new Error('kill EPERM'));
    stdout.write(LINE);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([MESSAGE]);
    child.emit('exit', 0, null);
    expect(await transport.closed).toMatchObject({ kind: 'exit' });
    expect(errors).toEqual([]);
  });

  it('takes no harm from an error of the stderr pipe', async () => {
    const { transport, child, stderr, errors } = await start();
    stderr.emit('error', new Error('read failed'));
    child.emit('exit', 0, null);
    expect(await transport.closed).toMatchObject({ kind: 'exit' });
    expect(errors).toEqual([]);
  });

  it('gives a server up once, although both its pipes break', async () => {
    const { transport, stdin, stdout, seen, errors } = await start({ drainAfterExitMs: 5 });
    stdin.destroy(new Error('EPIPE'));
    stdout.destroy(new Error('EIO'));
    expect(await transport.closed).toMatchObject({
      kind: 'protocol',
      detail: 'the process closed its stdin and went on running',
      leftover: expect.stringContaining('process group 4000000 was still there') as unknown,
    });
    expect(errors).toHaveLength(1);
    expect(seen).toEqual(['closed']);
  });

  it('does not call a pipe broken that closes while the bridge closes the connection', async () => {
    const { transport, child, stdout, errors } = await start({ drainAfterExitMs: 5, closeGraceMs: 60_000 });
    stdout.end();
    await once(stdout, 'end');
    const closing = transport.close();
    // The timer that would find the pipe broken is older than this one.
    await new Promise((resolve) => setTimeout(resolve, 5));
    child.emit('exit', 0, null);
    await closing;
    expect(await transport.closed).toEqual({ kind: 'closed-by-bridge', detail: 'closed by the bridge' });
    expect(errors).toEqual([]);
  });

  it('says what is left when a closed server never exits', async () => {
    const { transport } = await start();
    await transport.close();
    expect(await transport.closed).toMatchObject({
      kind: 'closed-by-bridge',
      leftover: 'process group 4000000 was still there 10 ms after SIGKILL (grace before that: 10 + 10 ms)',
    });
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

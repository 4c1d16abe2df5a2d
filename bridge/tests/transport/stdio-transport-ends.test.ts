/** What a transport over a child says of its end, and that nobody has to listen to it. */
import { expect, it } from 'vitest';
import { bench, LINE, MESSAGE, start } from './stdio-bench.ts';

it('has no process before it is started, and is started once', async () => {
  const { transport, child } = bench();
  expect(transport.pid).toBeUndefined();
  await expect(transport.send(MESSAGE)).rejects.toThrow('the process takes no more input');
  await transport.start();
  expect(transport.pid).toBe(4_000_000);
  await expect(transport.start()).rejects.toThrow('a transport is started once');
  child.emit('exit', 0, null);
  await transport.closed;
});

it('says by which signal a process was ended, and what it skipped', async () => {
  const { transport, child, stdout } = await start();
  stdout.write('noise\n');
  child.emit('exit', null, 'SIGKILL');
  expect(await transport.closed).toEqual({ kind: 'signal', detail: 'the process was ended by SIGKILL; its stdout ended with:\nnoise' });
  expect(transport.skipped).toBe(1);
});

it('says that stdout broke, and why nothing more can be sent', async () => {
  const { transport, stdout, errors } = await start({ drainAfterExitMs: 5 });
  stdout.destroy(new Error('EIO'));
  expect(await transport.closed).toMatchObject({ kind: 'protocol', detail: 'the process closed its stdout and went on running' });
  expect(errors).toMatchObject([{ code: 'connection-lost', message: 'the process closed its stdout and went on running' }]);
  await expect(transport.send(MESSAGE)).rejects.toMatchObject({ code: 'not-connected' });
});

it('sends nothing more once it is known to be lost, though its stdin is still open', async () => {
  const { transport, stdin, stdout, seen } = await start({ maxMessageBytes: 50, closeGraceMs: 60_000 });
  stdout.write(`${'x'.repeat(60)}\n`);
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(transport.reason).toMatchObject({ kind: 'protocol' });
  const sent: unknown[] = [];
  stdin.on('data', (data) => sent.push(data));
  await expect(transport.send(MESSAGE)).rejects.toMatchObject({ code: 'not-connected' });
  expect(sent).toEqual([]);
});

it('rejects with the failure to start it, which is its end', async () => {
  const { transport, seen } = bench({}, () => {
    throw Object.assign(new Error('spawn E2BIG'), { code: 'E2BIG' });
  });
  await expect(transport.start()).rejects.toMatchObject({ code: 'connect-failed', message: expect.stringContaining('(E2BIG)') as unknown, cause: { code: 'E2BIG' } });
  expect(await transport.closed).toMatchObject({ kind: 'spawn-failed', detail: expect.stringContaining('(E2BIG)') as unknown });
  expect(transport.reason).toMatchObject({ kind: 'spawn-failed' });
  expect(seen).toEqual(['closed']);
});

it('needs nobody who listens', async () => {
  const { transport, child, stdout, errors } = await start();
  Object.assign(transport, { onmessage: undefined, onclose: undefined });
  stdout.write(LINE);
  child.emit('exit', 0, null);
  expect(await transport.closed).toMatchObject({ kind: 'exit' });
  expect(errors).toEqual([]);
  const throwing = await start();
  Object.assign(throwing.transport, {
    onerror: undefined,
    onmessage: () => {
      throw new Error('broken');
    },
  });
  throwing.stdout.write(LINE);
  throwing.child.emit('exit', 0, null);
  expect(await throwing.transport.closed).toMatchObject({ kind: 'exit' });
  const broken = await start({ drainAfterExitMs: 5 });
  Object.assign(broken.transport, { onerror: undefined, onclose: undefined });
  broken.stdout.destroy(new Error('EIO'));
  expect(await broken.transport.closed).toMatchObject({ kind: 'protocol' });
});

it('reads for as long as something comes after the exit', async () => {
  const { transport, child, stdout, seen } = await start({ drainAfterExitMs: 60_000 });
  child.emit('exit', 0, null);
  let left = 20;
  const write = (): void => {
    left -= 1;
    stdout.write(LINE);
    if (left > 0) setImmediate(write);
  };
  write();
  await transport.closed;
  expect(seen).toEqual([...Array.from({ length: 20 }, () => MESSAGE), 'closed']);
});

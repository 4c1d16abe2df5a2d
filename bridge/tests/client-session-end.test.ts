/** How a connection over stdio ends: lost, given up, closed. */
import { describe, expect, it, vi } from 'vitest';
import { failureOf, isRunning, LIMITS, openScripted } from './helpers/scripted-session.ts';

describe('a connection that is lost', () => {
  it('fails the calls in flight with the exit code and the last of stderr', async () => {
    const { session } = await openScripted(['--stderr=out of cheese']);
    const hanging = failureOf(session.callTool('hang', {}, LIMITS));
    const failure = await failureOf(session.callTool('exit', { code: 7 }, LIMITS));
    expect(failure).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
    expect(failure.message).toContain('exited with code 7');
    expect(failure.message).toContain('out of cheese');
    expect(await hanging).toMatchObject({ code: 'connection-lost' });
    expect(await session.closed).toMatchObject({ kind: 'exit' });
    expect(session.isOpen).toBe(false);
    expect(await failureOf(session.callTool('echo', {}, LIMITS))).toMatchObject({ code: 'not-connected', executed: 'no' });
    await session.close();
  });

  it('names the signal', async () => {
    const { session } = await openScripted();
    const failure = await failureOf(session.callTool('die', { signal: 'SIGKILL' }, LIMITS));
    expect(failure.message).toContain('ended by SIGKILL');
    expect(await session.closed).toMatchObject({ kind: 'signal' });
  });

  it('delivers the answer that was written just before the exit', async () => {
    const { session } = await openScripted();
    const text = 'x'.repeat(100_000);
    expect(await session.callTool('answerAndExit', { code: 0, text }, LIMITS)).toEqual({ text });
    expect(await session.closed).toMatchObject({ kind: 'exit', detail: 'the process exited with code 0' });
  });

  it('is noticed at once although a helper holds the pipes, and the helper goes too', async () => {
    const { session, ask } = await openScripted([], { limits: { drainAfterExitMs: 20_000 } });
    const helper = Number((await ask('helper', { ignoreTerm: true }))['pid']);
    expect(isRunning(helper)).toBe(true);
    const started = performance.now();
    await failureOf(session.callTool('exit', { code: 0 }, LIMITS));
    expect(await session.closed).toEqual({ kind: 'exit', detail: 'the process exited with code 0' });
    // Waiting for the pipes would take the 20 s above, or the helper's minute.
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(isRunning(helper)).toBe(false);
  });

  it('is given up when the server closes its stdout and goes on running', async () => {
    const { session } = await openScripted(['--ignore-end', '--ignore-term'], { limits: { closeGraceMs: 20, terminateGraceMs: 20 } });
    const failure = await failureOf(session.callTool('closeStdout', {}, LIMITS));
    expect(failure).toMatchObject({ code: 'connection-lost' });
    expect(failure.message).toContain('closed its stdout');
    expect(await session.closed).toMatchObject({ kind: 'protocol' });
    expect(isRunning(session.pid ?? 0)).toBe(false);
  });

  it('is given up when the server closes its stdin and goes on running', async () => {
    const { session, ask } = await openScripted(['--ignore-term'], { limits: { closeGraceMs: 20, terminateGraceMs: 20 } });
    await ask('closeStdin');
    // The pipe is found broken by the next write.
    await vi.waitFor(async () => {
      expect(await failureOf(session.callTool('echo', {}, { timeoutMs: 100 }))).toMatchObject({ code: 'not-connected' });
    });
    expect(await session.closed).toMatchObject({ kind: 'protocol', detail: 'the process closed its stdin and went on running' });
    expect(isRunning(session.pid ?? 0)).toBe(false);
  });

  it('is given up when a message never ends', async () => {
    const { session } = await openScripted([], { limits: { maxMessageBytes: 10_000, closeGraceMs: 50 } });
    const failure = await failureOf(session.callTool('raw', { text: 'x'.repeat(30_000) }, LIMITS));
    expect(failure).toMatchObject({ code: 'connection-lost' });
    expect(failure.message).toContain('maxMessageBytes');
    expect(await session.closed).toMatchObject({ kind: 'protocol' });
  });
});

describe('a message that is too long', () => {
  it('fails its own call and no other', async () => {
    const { session, ask } = await openScripted([], { limits: { maxMessageBytes: 10_000 } });
    const hanging = session.callTool('hang', {}, LIMITS);
    const failure = await failureOf(session.callTool('big', { bytes: 15_000 }, LIMITS));
    expect(failure).toMatchObject({ code: 'limit-exceeded', executed: 'yes' });
    expect(failure.message).toContain('maxMessageBytes');
    await ask('release');
    expect(await hanging).toEqual({ late: true });
  });
});

it('fails the call whose answer holds too many values, unparsed, and no other (B01)', async () => {
  const { session, ask } = await openScripted([], { limits: { maxMessageValues: 1_000 } });
  const hanging = session.callTool('hang', {}, LIMITS);
  // The server says what it got.
  const failure = await failureOf(session.callTool('echo', { list: Array.from({ length: 1_500 }, () => 0) }, LIMITS));
  expect(failure).toMatchObject({ code: 'limit-exceeded', executed: 'yes', message: expect.stringContaining('more values than `maxMessageValues` (1000) allows') as unknown });
  await ask('release');
  expect(await hanging).toEqual({ late: true });
});

it('gives a connection up over a message that is too long and answers nobody', async () => {
  const { session } = await openScripted([], { limits: { maxMessageBytes: 10_000, closeGraceMs: 50 } });
  const text = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(12_000) } })}\n`;
  const failure = await failureOf(session.callTool('raw', { text }, LIMITS));
  expect(failure).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
  expect(failure.message).toMatch(/the server sent a message of \d{5} bytes, more than `maxMessageBytes` \(10000\) allows/);
  expect(await session.closed).toMatchObject({ kind: 'protocol' });
});

describe('closing', () => {
  it('fails what is in flight and leaves no process', async () => {
    const { session, ask } = await openScripted(['--ignore-end', '--ignore-term'], { limits: { closeGraceMs: 50, terminateGraceMs: 50 } });
    const helper = Number((await ask('helper', { ignoreTerm: true }))['pid']);
    const pid = session.pid ?? 0;
    const hanging = failureOf(session.callTool('hang', {}, LIMITS));
    const closing = session.close();
    expect(session.isOpen).toBe(false);
    expect(await hanging).toMatchObject({ code: 'connection-lost', executed: 'unknown' });
    expect(isRunning(pid)).toBe(true);
    await closing;
    expect([pid, helper].map(isRunning)).toEqual([false, false]);
    expect(await session.closed).toMatchObject({ kind: 'closed-by-bridge' });
    expect(session.close()).toBe(session.close());
  });

  it('works on a server that does not read its input', async () => {
    const { session } = await openScripted(['--ignore-end'], { limits: { closeGraceMs: 50 } });
    await failureOf(session.callTool('stopReading', {}, { timeoutMs: 1 }));
    const calls = Array.from({ length: 20 }, () => failureOf(session.callTool('echo', { text: 'x'.repeat(100_000) }, LIMITS)));
    await session.close();
    for (const call of calls) expect((await call).code).toBe('connection-lost');
    expect(isRunning(session.pid ?? 0)).toBe(false);
  });

  it('says what is left when a server cannot be ended', async () => {
    const tree = { signal: () => true, isAlive: () => true };
    const { session } = await openScripted([], {
      limits: { closeGraceMs: 10, terminateGraceMs: 10, killWaitMs: 10 },
      effects: { control: { spawnOptions: { detached: true }, treeOf: () => tree } },
    });
    expect(await failureOf(session.close())).toMatchObject({ code: 'close-incomplete' });
    expect((await session.closed).leftover).toContain(`process group ${session.pid}`);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { openSession, type OpenSessionOptions } from '../src/client-session.ts';
import type { BridgeError } from '../src/errors.ts';
import { CLIENT_INFO } from '../src/transport/client-info.ts';
import { failureOf, isRunning, LIMITS, openScripted, scriptedOptions, scriptedTarget } from './helpers/scripted-session.ts';

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

function buildEnv(): never {
  throw new RangeError('a defect');
}

function fail(args: readonly string[], more: Partial<OpenSessionOptions> = {}): Promise<BridgeError> {
  return failureOf(openSession(scriptedOptions(args, more)));
}

describe('a start that fails', () => {
  it('names the command that was not found, and the fix', async () => {
    const failure = await fail([], { target: { transport: 'stdio', command: 'no-such-command' } });
    expect(failure.code).toBe('connect-failed');
    expect(failure.message).toMatch(/^server "scripted": the command "no-such-command" was not found \(ENOENT\); install it/);
  });

  it('tells a missing working directory from a missing command', async () => {
    const target = { transport: 'stdio', command: process.execPath, cwd: '/no/such/folder' } as const;
    expect((await fail([], { target })).message).toContain('working directory "/no/such/folder"');
  });

  it('does not repeat arguments or variables that could not be passed', async () => {
    const target = { transport: 'stdio', command: process.execPath, args: ['canary-argument\0'], env: { A: 'canary-value\0' } } as const;
    const failure = await fail([], { target });
    expect(failure.code).toBe('connect-failed');
    expect(failure.message).toContain('NUL');
    expect(failure.message).not.toContain('canary');
  });

  it('tells the exit code and the last of stderr', async () => {
    const failure = await fail(['--stderr=cannot find the database', '--exit-at-start=3']);
    expect(failure.code).toBe('connect-failed');
    expect(failure.message).toContain('exited with code 3');
    expect(failure.message).toContain('cannot find the database');
  });

  it('removes configured secrets from what it repeats', async () => {
    const args = ['--stderr=token s3cr3t-value-1 and PIN 77', '--exit-at-initialize=1'];
    const failure = await fail([], { target: scriptedTarget(args, { TOKEN: 's3cr3t-value-1', OTHER: '77' }) });
    expect(failure.message).toContain('token [redacted] and PIN 77');
  });

  it('gives up on a server that does not answer, after its process is gone', async () => {
    let pid = 0;
    const failure = await fail(['--hang-at-initialize', '--stderr=still compiling'], {
      limits: { connectTimeoutMs: 300, closeGraceMs: 50 },
      decorateTransport: (transport) => {
        const start = transport.start.bind(transport);
        transport.start = async () => {
          await start();
          if ('pid' in transport) pid = Number(transport.pid);
        };
        return transport;
      },
    });
    expect(failure.code).toBe('connect-timeout');
    expect(failure.message).toContain('within 300 ms');
    expect(failure.message).toContain('connectTimeoutMs');
    expect(pid).toBeGreaterThan(1);
    expect(isRunning(pid)).toBe(false);
  });

  it('can be given up', async () => {
    const attempt = new AbortController();
    const failing = fail(['--hang-at-initialize'], { signal: attempt.signal });
    attempt.abort();
    expect(await failing).toMatchObject({ code: 'disposed' });
    expect(await fail([], { signal: AbortSignal.abort() })).toMatchObject({ code: 'disposed' });
  });

  it('names a protocol revision that it does not know, and those that it does', async () => {
    const failure = await fail(['--version=1999-01-01']);
    expect(failure.code).toBe('protocol-unsupported');
    expect(failure.message).toContain('"1999-01-01"');
    expect(failure.message).toContain('2024-11-05');
    const long = await fail([`--version=${'9'.repeat(5_000)}`]);
    expect(long.message).toContain(`revision "${'9'.repeat(40)}…"; asked for was`);
  });

  it.each(['{}', 'null', '[]', '{"protocolVersion":3}'])('refuses %s as the answer to initialize', async (result) => {
    expect(await fail([`--initialize-result=${result}`])).toMatchObject({ code: 'connect-failed' });
  });

  it('says what is left when the process of a failed start cannot be ended, with the failure as the cause (S58)', async () => {
    const failure = await fail(['--initialize-error=license expired'], {
      limits: { closeGraceMs: 10, terminateGraceMs: 10, killWaitMs: 10 },
      effects: { control: { spawnOptions: { detached: true }, treeOf: () => ({ signal: () => true, isAlive: () => true }) } },
    });
    expect(failure).toMatchObject({ code: 'close-incomplete', cause: { code: 'connect-failed' } });
    expect(failure.message).toMatch(/license expired; and process group \d+ was still there 10 ms after SIGKILL/);
  });

  it('does not dress up a defect as a failure of the server', async () => {
    await expect(openSession(scriptedOptions([], { effects: { buildEnv } }))).rejects.toThrow(RangeError);
  });

  it('repeats the error that initialize was answered with', async () => {
    const failure = await fail(['--initialize-error=license expired']);
    expect(failure).toMatchObject({ code: 'connect-failed', rpcCode: -32000 });
    expect(failure.message).toContain('license expired');
  });
});

describe('an odd start that works', () => {
  it.each(['2025-06-18', '2025-03-26', '2024-11-05'])('accepts protocol revision %s', async (version) => {
    expect((await openScripted([`--version=${version}`])).session.server.protocolVersion).toBe(version);
  });

  it('accepts an answer whose server info and capabilities are odd', async () => {
    const { session } = await openScripted(['--initialize-result={"protocolVersion":"2025-11-25","serverInfo":[],"capabilities":3}']);
    expect(session.server).toEqual({ protocolVersion: '2025-11-25', name: '', version: '', capabilities: {} });
  });

  it('skips and reports noise on stdout, secrets removed', async () => {
    const target = scriptedTarget(['--noise=Listening with hush-hush'], { MY_TOKEN: 'hush-hush' });
    const { diagnostics, ask } = await openScripted([], { target });
    await ask('noise', { lines: ['[1]', '{"level":30}'] });
    const warnings = diagnostics.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings).toHaveLength(3);
    expect(warnings[0]).toContain('Listening with [redacted]');
  });

  it('keeps its reports bounded, whatever a server writes', async () => {
    const { diagnostics, ask } = await openScripted();
    await ask('noise', { lines: Array.from({ length: 5_000 }, (_, n) => `noise ${n}`) });
    await ask('stderr', { text: `${'y'.repeat(100_000)}\n`, times: 100 });
    await ask('echo');
    await vi.waitFor(() => expect(diagnostics.some(({ message }) => message.startsWith('stderr'))).toBe(true));
    expect(diagnostics.length).toBeLessThan(200);
    for (const { message } of diagnostics) expect(message.length).toBeLessThan(3_000);
  });

  it('reads stderr to its end, so that a server may log as much as it likes', async () => {
    const { ask } = await openScripted();
    await ask('stderr', { text: 'z'.repeat(1_000_000), times: 5 });
    expect(await ask('echo', { n: 1 })).toEqual({ n: 1 });
  });
});

it('passes the environment that the config and the rules make', async () => {
  const { ask } = await openScripted([], {
    target: scriptedTarget([], { API_KEY: 'configured', EXTRA: '1' }),
    effects: { ambientEnv: { PATH: process.env['PATH'], GITHUB_TOKEN: 'ambient', DSH_HOME: 'x', KEPT: 'y' } },
  });
  expect(await ask('env')).toEqual({ PATH: process.env['PATH'], KEPT: 'y', API_KEY: 'configured', EXTRA: '1' });
});

it('introduces itself with the name and the version of the package', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { name, version }: { name: string; version: string } = JSON.parse(text);
  expect(CLIENT_INFO).toEqual({ name, version });
});

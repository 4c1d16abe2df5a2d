/** How a connection over stdio begins, or does not. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { openSession, type OpenSessionOptions } from '../src/client-session.ts';
import type { BridgeError } from '../src/errors.ts';
import { CLIENT_INFO } from '../src/transport/client-info.ts';
import { defer } from './helpers-logic/scripted-session.ts';
import { failureOf, isRunning, openScripted, scriptedOptions, scriptedTarget } from './helpers/scripted-session.ts';

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

  it('waits for a slow server as long as it is told to, and longer than the library would', async () => {
    const [attempt, sent] = [new AbortController(), defer<void>()];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let failing: Promise<BridgeError>;
    try {
      failing = fail(['--hang-at-initialize'], {
        signal: attempt.signal,
        limits: { connectTimeoutMs: 120_000 },
        decorateTransport: (transport) => {
          const send = transport.send.bind(transport);
          transport.send = (...args) => {
            sent.resolve();
            return send(...args);
          };
          return transport;
        },
      });
      await sent.promise;
      await vi.advanceTimersByTimeAsync(119_000);
    } finally {
      vi.useRealTimers();
    }
    attempt.abort();
    expect(await failing).toMatchObject({ code: 'disposed' });
  });

  it('can be given up', async () => {
    const attempt = new AbortController();
    const onLost = vi.fn();
    const failing = fail(['--hang-at-initialize'], { signal: attempt.signal, listeners: { onToolListChanged: () => {}, onDiagnostic: () => {}, onLost } });
    attempt.abort();
    expect(await failing).toMatchObject({ code: 'disposed' });
    expect(onLost).not.toHaveBeenCalled();
    expect(await fail([], { signal: AbortSignal.abort() })).toMatchObject({ code: 'disposed', message: 'server "scripted": connecting was given up' });
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

  it('says of a program that repeats what it is sent that it is no MCP server', async () => {
    const target = { transport: 'stdio', command: 'cat' } as const;
    const failure = await failureOf(openSession(scriptedOptions([], { target })));
    expect(failure).toMatchObject({ code: 'connect-failed', message: 'server "scripted": initialize came back as it was sent: what is there repeats its input and is no MCP server; correct `command` or `url`' });
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

/** A first start that fails, in a time that stands still. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ConnectionSupervisor } from '../../src/connection-supervisor.ts';
import { BridgeError } from '../../src/errors.ts';
import { lost } from '../../src/reconnect-budget.ts';
import { MemoryApp, POLICY } from './memory-app.ts';

let app: MemoryApp;

beforeEach(() => {
  app = new MemoryApp('a');
});

const refused = new BridgeError('connect-failed', 'refused');

describe('a first start that fails', () => {
  it('activates without tools and goes on trying (S06, S52)', async () => {
    app.server.connectError = refused;
    await app.load();
    expect(app.host.names).toEqual([]);
    expect(app.state).toMatchObject({ state: 'reconnecting', attempt: 1, nextDelayMs: 100, lastError: 'refused' });
    app.server.connectError = undefined;
    await app.clock.advance(100);
    expect(app.host.names).toEqual(['mcp__mem__a']);
    expect(app.lines('error', 'warn', 'info')).toEqual([
      'not available: refused; it has no tools until it is connected',
      'reconnecting: attempt 1 of 4 in 100 ms',
      'recovered at attempt 1 of 4: ready over stdio, 1 tools',
    ]);
    expect(app.host.states.map(({ state, attempt, nextDelayMs }) => [state, attempt, nextDelayMs])).toEqual([
      ['connecting', 0, undefined],
      ['reconnecting', 1, 100],
      ['reconnecting', 1, undefined],
      ['ready', 0, undefined],
    ]);
  });

  it('is not one of the attempts (S53)', async () => {
    app.server.connectError = refused;
    await app.load();
    expect(await app.attemptsWithin(5_000)).toEqual([100, 300, 700, 1100]);
    expect(app.lines('error').at(-1)).toContain('given up after 4 attempts; it has no tools');
  });

  it.each(['connectError', 'listError'] as const)('leaves no timer and no name when it must not fail (S06): %s', async (what) => {
    app.server[what] = refused;
    app.begin({ failOnStartupError: true });
    await expect(app.instance?.activated).rejects.toThrow('refused');
    expect(app.clock.waiting).toBe(0);
    expect(app.state).toBeUndefined();
    expect(app.lines('error')).toEqual([expect.stringMatching(/^not available: refused.*; it has no tools until this entry is reloaded$/)]);
    expect(app.lines('warn')).toEqual([]);
    await app.clock.advance(10_000);
    expect(app.opened).toBe(what === 'connectError' ? 0 : 1);
  });

  it('names the server whatever was thrown', async () => {
    const cause = new Error('out of cheese');
    app.server.connectError = cause;
    const strict = new MemoryApp();
    strict.server.connectError = cause;
    await expect(strict.load({ failOnStartupError: true })).rejects.toMatchObject({ code: 'connect-failed', message: 'MCP server "mem": out of cheese', cause });
    await app.load();
    expect(app.lines('error')).toEqual(['not available: MCP server "mem": out of cheese; it has no tools until it is connected']);
  });

  it('has no retry when reconnection is off (S57)', async () => {
    app.server.connectError = refused;
    await app.load({ reconnect: { enabled: false } });
    expect(app.clock.waiting).toBe(0);
    expect(app.state).toMatchObject({ state: 'failed', attempt: 0 });
  });

  it('is no failure when a foreign tool is in the way: the connection stays up (S06, S32)', async () => {
    app.host.registerForeign('mcp__mem__a');
    await app.load();
    expect(app.clock.waiting).toBe(0);
    expect(app.server.session.closeCalls).toBe(0);
    expect(app.state).toMatchObject({ state: 'ready', toolCount: 0 });
    expect(app.lines('info')).toEqual([]);
  });
});

it('logs what the connection has to tell, from its beginning on, at its level (S59)', async () => {
  await app.load({}, {
    openSession: (options) => {
      options.listeners.onDiagnostic('warn', 'stderr: low on disk');
      options.listeners.onDiagnostic('debug', 'stderr: starting');
      return app.server.open(options);
    },
  });
  expect(app.lines('warn', 'debug')).toEqual(['stderr: low on disk', 'stderr: starting']);
});

it('has not been connected before it starts, and says so', () => {
  const supervisor = new ConnectionSupervisor({
    serverName: 'mem', policy: POLICY, retryFirst: true, clock: app.clock, decide: lost,
    open: () => Promise.reject(refused),
    sync: () => Promise.resolve(undefined),
    onToolListChanged: () => undefined, onLive: () => undefined, onStatus: () => undefined,
    removeTools: () => undefined, toolCount: () => 0, log: () => undefined, signal: new AbortController().signal,
  });
  expect(supervisor.disconnectedBecause).toBe('it is being connected for the first time');
});

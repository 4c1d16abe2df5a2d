/** A first start that fails, in a time that stands still. */
import { beforeEach, describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { MemoryApp } from './memory-app.ts';

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
    app.server.connectError = new Error('out of cheese');
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
  });
});

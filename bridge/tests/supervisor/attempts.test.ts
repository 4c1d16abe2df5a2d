/** A lost connection, attempt by attempt, in a time that stands still. */
import { beforeEach, describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { settle } from '../helpers-logic/manual-clock.ts';
import { defer, listedTool } from '../helpers-logic/scripted-session.ts';
import { MemoryApp, POLICY } from './memory-app.ts';

let app: MemoryApp;

beforeEach(() => {
  app = new MemoryApp('a');
});

const refused = new BridgeError('connect-failed', 'refused');

describe('a lost connection', () => {
  it('is tried again after the first delay, counted from the proof that the server is gone (S52, S58)', async () => {
    await app.load();
    app.server.session.lose();
    await app.clock.advance(10_000);
    expect(app.opened).toBe(1);
    app.server.session.vanish();
    await app.clock.advance(99);
    expect(app.opened).toBe(1);
    await app.clock.advance(1);
    expect(app.opened).toBe(2);
    expect(app.state).toMatchObject({ state: 'ready', attempt: 0, nextDelayMs: undefined, lastError: undefined });
  });

  it('is tried again also where the first start was not allowed to fail (S06, S52)', async () => {
    await app.load({ failOnStartupError: true });
    app.server.session.crash();
    await app.clock.advance(100);
    expect(app.opened).toBe(2);
    expect(app.state).toMatchObject({ state: 'ready' });
  });

  it('is told state by state, each once (B20)', async () => {
    await app.load();
    app.server.session.crash('boom');
    await app.clock.advance(100);
    expect(app.host.states).toEqual([
      { serverName: 'mem', state: 'connecting', attempt: 0, nextDelayMs: undefined, toolCount: 0, lastError: undefined },
      { serverName: 'mem', state: 'ready', attempt: 0, nextDelayMs: undefined, toolCount: 1, lastError: undefined },
      { serverName: 'mem', state: 'reconnecting', attempt: 1, nextDelayMs: 100, toolCount: 1, lastError: 'boom' },
      { serverName: 'mem', state: 'reconnecting', attempt: 1, nextDelayMs: undefined, toolCount: 1, lastError: 'boom' },
      { serverName: 'mem', state: 'ready', attempt: 0, nextDelayMs: undefined, toolCount: 1, lastError: undefined },
    ]);
  });

  it('is tried maxAttempts times, each delay twice the one before up to the longest, and then given up (S52, S53)', async () => {
    await app.load();
    app.server.connectError = refused;
    app.server.session.crash();
    expect(await app.attemptsWithin(5_000)).toEqual([100, 300, 700, 1100]);
    expect(app.host.names).toEqual([]);
    expect(app.lines('error')).toEqual(['attempt 4 of 4 failed: refused; given up after 4 attempts; it has no tools until this entry is reloaded']);
    expect(app.state).toMatchObject({ state: 'failed', attempt: 4, nextDelayMs: undefined, toolCount: 0, lastError: 'refused' });
    expect(app.clock.waiting).toBe(0);
  });

  it('counts a listing that fails as a failed attempt, and closes its connection first (S53, S58)', async () => {
    await app.load();
    app.server.listError = new BridgeError('rpc-error', 'no list');
    app.server.session.crash();
    await app.clock.advance(100);
    expect(app.server.session.closeCalls).toBe(1);
    expect(app.host.names).toEqual(['mcp__mem__a']);
    expect(app.lines('warn').at(-1)).toBe('attempt 1 of 4 failed: no list (page 1 of the tool list); reconnecting: attempt 2 of 4 in 200 ms');
    app.server.listError = undefined;
    await app.clock.advance(200);
    expect(app.state).toMatchObject({ state: 'ready', toolCount: 1 });
  });

  it('counts a void list as a failed attempt (S18, S26)', async () => {
    await app.load();
    app.server.tools = [listedTool('x'), listedTool('x')];
    app.server.session.crash();
    await app.clock.advance(5_000);
    expect(app.opened).toBe(5);
    expect(app.state).toMatchObject({ state: 'failed', attempt: 4 });
  });

  it('waits for the end of a failed attempt before it counts the next delay (S52, S58)', async () => {
    await app.load();
    app.server.listError = new BridgeError('rpc-error', 'no list');
    const held = app.server.holdListings();
    app.server.session.crash();
    await app.clock.advance(100);
    const leaving = defer<void>();
    app.server.session.closing = leaving.promise;
    held.release();
    await app.clock.advance(10_000);
    expect(app.opened).toBe(2);
    leaving.resolve();
    await app.clock.advance(199);
    expect(app.opened).toBe(2);
    await app.clock.advance(1);
    expect(app.opened).toBe(3);
  });

  it('is one outage when the connection also ends while it is being listed', async () => {
    await app.load();
    const held = app.server.holdListings();
    app.server.session.crash();
    await app.clock.advance(100);
    await held.reached;
    app.server.session.crash('the process exited with code 9');
    await settle();
    expect(app.lines('warn').at(-1)).toContain('attempt 1 of 4 failed');
    expect(app.clock.waiting).toBe(1);
    held.release();
    await app.clock.advance(200);
    expect(app.state).toMatchObject({ state: 'ready' });
    expect(app.opened).toBe(3);
  });

  it('leaves tools and outage to the policy that was captured at load (S07)', async () => {
    const reconnect = { ...POLICY };
    await app.load({ reconnect });
    reconnect.initialDelayMs = 1;
    reconnect.enabled = false;
    app.server.session.crash();
    await app.clock.advance(99);
    expect(app.opened).toBe(1);
    await app.clock.advance(1);
    expect(app.opened).toBe(2);
  });

  it('is not retried when reconnection is off, and its tools stay (S57)', async () => {
    await app.load({ reconnect: { enabled: false } });
    app.server.session.crash();
    await app.clock.advance(100_000);
    expect(app.opened).toBe(1);
    expect(app.host.names).toEqual(['mcp__mem__a']);
    expect(app.lines('error')).toHaveLength(1);
    expect(app.lines('warn')).toEqual([]);
    expect(app.state).toMatchObject({ state: 'failed', attempt: 0 });
    await expect(app.host.call('mcp__mem__a')).rejects.toMatchObject({ code: 'not-connected', message: expect.stringContaining('until this entry is reloaded') as unknown });
  });
});

describe('the budget of an outage', () => {
  it('starts afresh after a connection that outlived maxDelayMs (S54)', async () => {
    await app.load();
    for (let round = 0; round < 10; round += 1) {
      app.server.session.crash();
      await app.clock.advance(100);
      expect(app.state).toMatchObject({ state: 'ready' });
      await app.clock.advance(400);
    }
    expect(app.opened).toBe(11);
  });

  it('goes on after one that died sooner, also the delay (S54)', async () => {
    await app.load();
    for (const delayMs of [100, 200, 400, 400]) {
      app.server.session.crash();
      await app.clock.advance(delayMs - 1);
      const { opened } = app;
      await app.clock.advance(1);
      expect(app.opened).toBe(opened + 1);
      await app.clock.advance(399);
    }
    app.server.session.lose('boom');
    expect(app.state).toMatchObject({ state: 'failed', attempt: 4, toolCount: 0 });
    app.server.session.vanish('boom');
    await app.clock.advance(10_000);
    expect(app.opened).toBe(5);
    expect(app.host.names).toEqual([]);
    expect(app.lines('error')).toEqual(['connection lost: boom; given up after 4 attempts; it has no tools until this entry is reloaded']);
  });

  it('counts uptime from the end of discovery (S54)', async () => {
    await app.load();
    const held = app.server.holdListings();
    app.server.session.crash();
    await app.clock.advance(100);
    await app.clock.advance(10_000);
    held.release();
    await settle();
    app.server.session.crash();
    await settle();
    expect(app.state).toMatchObject({ state: 'reconnecting', attempt: 2, nextDelayMs: 200 });
  });

  it('counts uptime to the loss, not to the proof that the server is gone (S54)', async () => {
    await app.load();
    app.server.session.crash();
    await app.clock.advance(100);
    app.server.session.lose();
    await app.clock.advance(10_000);
    app.server.session.vanish();
    await settle();
    expect(app.state).toMatchObject({ state: 'reconnecting', attempt: 2, nextDelayMs: 200 });
  });

  it('is not spent by a refresh that fails on a live connection (S53)', async () => {
    await app.load();
    app.server.listError = new BridgeError('rpc-error', 'not now');
    for (let round = 0; round < 10; round += 1) {
      app.server.session.notify();
      await app.clock.advance(10_000);
    }
    // The first list, and for each notice one refresh and three repeats.
    expect(app.server.listings).toBe(1 + 10 * (1 + 3));
    expect(app.opened).toBe(1);
    expect(app.state).toMatchObject({ state: 'ready', toolCount: 1 });
    app.server.listError = undefined;
    app.server.session.crash();
    await settle();
    expect(app.state).toMatchObject({ state: 'reconnecting', attempt: 1 });
  });
});

/** Servers that cannot be proven gone, and how outages read. */
import { beforeEach, describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { settle } from '../helpers-logic/manual-clock.ts';
import { MemoryApp } from './memory-app.ts';

let app: MemoryApp;

beforeEach(() => {
  app = new MemoryApp('a');
});

const refused = new BridgeError('connect-failed', 'refused');

describe('a server that is not proven gone', () => {
  const LEFTOVER = 'process group 7 was still there';
  const survived = new BridgeError('close-incomplete', `did not answer; and ${LEFTOVER}`);

  it('is not started again after a loss: its tools go, with one error (S58)', async () => {
    await app.load();
    app.server.session.lose('boom');
    expect(app.state).toMatchObject({ state: 'reconnecting', attempt: 1, nextDelayMs: 100 });
    app.server.session.vanish('boom', LEFTOVER);
    await app.clock.advance(10_000);
    expect(app.opened).toBe(1);
    expect(app.host.names).toEqual([]);
    expect(app.lines('error', 'warn')).toEqual([
      `connection lost: boom; ${LEFTOVER}; reconnection stops, since two processes of one server must not meet; it has no tools until this entry is reloaded`,
    ]);
    expect(app.state).toMatchObject({ state: 'failed', toolCount: 0 });
  });

  it('is not started again after an attempt that could not be ended (S58)', async () => {
    await app.load();
    app.server.connectError = survived;
    app.server.session.crash();
    await app.clock.advance(10_000);
    expect(app.host.names).toEqual([]);
    expect(app.lines('error')).toEqual([expect.stringMatching(/^attempt 1 of 4 failed: did not answer; and process group 7 was still there; reconnection stops/)]);
  });

  it('is not started again after a listing whose connection could not be closed (S58)', async () => {
    await app.load();
    const held = app.server.holdListings();
    app.server.listError = refused;
    app.server.session.crash();
    await app.clock.advance(100);
    app.server.session.close = () => Promise.reject(new BridgeError('close-incomplete', LEFTOVER));
    held.release();
    await app.clock.advance(10_000);
    expect(app.opened).toBe(2);
    expect(app.lines('error')).toEqual([expect.stringMatching(/^attempt 1 of 4 failed: refused .*; process group 7 was still there; reconnection stops/)]);
  });

  it('is not started again when the first start could not be ended (S58)', async () => {
    app.server.connectError = survived;
    await app.load();
    expect(app.clock.waiting).toBe(0);
    expect(app.state).toMatchObject({ state: 'failed' });
    expect(app.lines('error')).toEqual([expect.stringMatching(/^not available: did not answer; and process group 7 .*reconnection stops/)]);
  });

  it('keeps its tools when reconnection is off: there is nothing to stop (S57)', async () => {
    await app.load({ reconnect: { enabled: false } });
    app.server.session.vanish('boom', LEFTOVER);
    await settle();
    expect(app.host.names).toEqual(['mcp__mem__a']);
    expect(app.lines('error')).toEqual([`connection lost: boom; ${LEFTOVER}; its 1 tools stay registered and fail until this entry is reloaded`]);
  });
});

describe('log lines of an outage', () => {
  it('name attempt and delay, and tell a loss from an attempt that never connected (S59)', async () => {
    await app.load();
    app.server.connectError = refused;
    app.server.session.crash('the process exited with code 3');
    await app.clock.advance(100);
    app.server.connectError = undefined;
    await app.clock.advance(200);
    expect(app.host.logs.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'info [mcp-bridge] mem: ready over stdio, 1 tools',
      'warn [mcp-bridge] mem: connection lost: the process exited with code 3; reconnecting: attempt 1 of 4 in 100 ms',
      'warn [mcp-bridge] mem: attempt 1 of 4 failed: refused; reconnecting: attempt 2 of 4 in 200 ms',
      'info [mcp-bridge] mem: recovered at attempt 2 of 4: ready over stdio, 1 tools',
    ]);
  });

  it('keep the beginning and the end of a long reason, and attempt and delay in any case (B06, S59)', async () => {
    await app.load();
    app.server.session.crash(`the process exited with code 3; its stderr ended with: ${'x'.repeat(8_000)} the last words`);
    await settle();
    expect(app.lines('warn')).toEqual([
      expect.stringMatching(/^connection lost: the process exited with code 3; its stderr .*x … x.* the last words; reconnecting: attempt 1 of 4 in 100 ms$/),
    ]);
  });
});

/** The end of an instance at every point of an outage (S60). */
import { beforeEach, describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { whenDisposed } from '../../src/state.ts';
import { settle } from '../helpers-logic/manual-clock.ts';
import { defer } from '../helpers-logic/scripted-session.ts';
import { MemoryApp } from './memory-app.ts';

let app: MemoryApp;

beforeEach(async () => {
  app = new MemoryApp('a');
});

/** Nothing restarts afterwards. */
async function expectEnded(opened: number): Promise<void> {
  expect(app.state).toBeUndefined();
  expect(app.host.names).toEqual([]);
  expect(app.clock.waiting).toBe(0);
  await app.clock.advance(100_000);
  expect(app.opened).toBe(opened);
  expect(app.server.sessions.every(({ isOpen }) => !isOpen)).toBe(true);
}

describe('a disposal in an outage', () => {
  it('cancels the retry that waits, at once (S60)', async () => {
    await app.load();
    app.server.session.crash();
    await settle();
    expect(app.clock.waiting).toBe(1);
    const disposal = app.dispose();
    expect(app.clock.waiting).toBe(0);
    expect(app.host.names).toEqual([]);
    await disposal;
    await expectEnded(1);
  });

  it('waits for a lost server to be gone before the name is free (S60)', async () => {
    await app.load();
    const { session } = app.server;
    const leaving = defer<void>();
    session.closing = leaving.promise;
    session.lose();
    const disposal = app.dispose();
    await settle();
    expect(app.state).toMatchObject({ state: 'disposed' });
    leaving.resolve();
    await disposal;
    await expectEnded(1);
  });

  it('gives up an attempt that connects, and closes what comes of it all the same (S60)', async () => {
    const gate = defer<void>();
    let asked = 0;
    await app.load({}, {
      openSession: async (options) => {
        asked += 1;
        if (asked > 1) {
          await gate.promise;
          expect(options.signal?.aborted).toBe(true);
        }
        return app.server.open(options);
      },
    });
    app.server.session.crash();
    await app.clock.advance(100);
    expect(asked).toBe(2);
    const disposal = app.dispose();
    let isFree = false;
    const free = whenDisposed(app.host.root, 'mem').then(() => (isFree = true));
    await settle();
    expect(isFree).toBe(false);
    gate.resolve();
    await Promise.all([disposal, free]);
    expect(app.server.session.closeCalls).toBe(1);
    await expectEnded(2);
  });

  it('gives up an attempt that lists (S60)', async () => {
    await app.load();
    const held = app.server.holdListings();
    app.server.session.crash();
    await app.clock.advance(100);
    await held.reached;
    app.host.changes.length = 0;
    await app.dispose();
    held.release();
    await settle();
    expect(app.host.changes).toEqual(['-mcp__mem__a']);
    await expectEnded(2);
  });

  it('waits for the end of a failed attempt that is being closed (S60)', async () => {
    await app.load();
    const held = app.server.holdListings();
    app.server.session.crash();
    await app.clock.advance(100);
    app.server.listError = new BridgeError('rpc-error', 'no list');
    const leaving = defer<void>();
    app.server.session.closing = leaving.promise;
    held.release();
    await settle();
    const disposal = app.dispose();
    await settle();
    expect(app.state).toMatchObject({ state: 'disposed' });
    leaving.resolve();
    await disposal;
    expect(app.lines('warn').filter((line) => line.includes('attempt 2'))).toEqual([]);
    await expectEnded(2);
  });

  it.each(['reconnecting', 'ready'])('may come from whoever is told that the server is %s', async (told) => {
    await app.load();
    let disposal: Promise<void> | undefined;
    app.host.onState = ({ state }) => {
      if (state === told) disposal ??= app.dispose();
    };
    app.server.session.crash();
    await app.clock.advance(100);
    await disposal;
    await expectEnded(told === 'ready' ? 2 : 1);
  });

  it('may come from whoever is told that an attempt begins', async () => {
    await app.load();
    let disposal: Promise<void> | undefined;
    app.host.onState = ({ state, nextDelayMs }) => {
      if (state === 'reconnecting' && nextDelayMs === undefined) disposal ??= app.dispose();
    };
    app.server.session.crash();
    await app.clock.advance(100);
    await disposal;
    expect(app.server.listings).toBe(1);
    await expectEnded(app.opened);
  });

  it('may come from a change that a listing causes, and then nothing is refreshed any more', async () => {
    await app.load();
    const held = app.server.holdListings();
    app.server.tools = [];
    app.server.session.crash();
    await app.clock.advance(100);
    app.server.session.notify();
    const leaving = defer<void>();
    app.server.session.closing = leaving.promise;
    let disposal: Promise<void> | undefined;
    app.host.onChange = () => {
      disposal ??= app.dispose();
    };
    held.release();
    await settle();
    expect(app.state).toMatchObject({ state: 'disposed' });
    expect(app.clock.waiting).toBe(0);
    leaving.resolve();
    await disposal;
    await expectEnded(2);
  });

  it('may come from a change that giving up causes', async () => {
    await app.load({ reconnect: { maxAttempts: 1, initialDelayMs: 100, maxDelayMs: 400 } });
    let disposal: Promise<void> | undefined;
    app.host.onChange = () => {
      disposal ??= app.dispose();
    };
    app.server.connectError = new BridgeError('connect-failed', 'refused');
    app.server.session.crash();
    await app.clock.advance(100);
    await disposal;
    await expectEnded(1);
  });
});

describe('an end that Cordis 4 has announced', () => {
  it('opens no outage when the connection is lost meanwhile (S60)', async () => {
    await app.load();
    app.instance?.cancel();
    app.server.session.close = () => Promise.reject(new BridgeError('close-incomplete', 'process 7 is still there'));
    app.server.session.lose();
    app.server.session.vanish('boom', 'process 7 is still there');
    await settle();
    expect(app.clock.waiting).toBe(0);
    expect(app.state).toMatchObject({ state: 'disposed' });
    await app.dispose();
    expect(app.lines('warn', 'error')).toEqual(['shutdown incomplete: process 7 is still there']);
    expect(app.opened).toBe(1);
  });
});

describe('an incomplete shutdown', () => {
  it('is one error line when a lost server cannot be ended (S60)', async () => {
    await app.load();
    app.server.session.lose();
    app.server.session.close = () => Promise.reject(new BridgeError('close-incomplete', 'process 7 is still there'));
    await app.dispose();
    expect(app.lines('error')).toEqual(['shutdown incomplete: process 7 is still there']);
    expect(app.state).toBeUndefined();
  });

  it('is one error line when an attempt that connects cannot be ended (S60)', async () => {
    const gate = defer<void>();
    app.begin({}, {
      openSession: async () => {
        await gate.promise;
        throw new BridgeError('close-incomplete', 'connecting was given up; and process 7 is still there');
      },
    });
    const disposal = app.dispose();
    gate.resolve();
    await disposal;
    expect(app.lines('error')).toEqual(['shutdown incomplete: connecting was given up; and process 7 is still there']);
  });

  it('is one error line when an attempt that lists cannot be ended (S60)', async () => {
    const held = app.server.holdListings();
    app.begin();
    await held.reached;
    app.server.session.close = () => Promise.reject(new BridgeError('close-incomplete', 'process 7 is still there'));
    await app.dispose();
    held.release();
    await settle();
    expect(app.lines('error')).toEqual(['shutdown incomplete: process 7 is still there']);
  });
});

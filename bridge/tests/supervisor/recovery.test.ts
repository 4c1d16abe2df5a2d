/** What the registry holds after a recovery, and what is left of the connection before. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import { settle } from '../helpers-logic/manual-clock.ts';
import { listedTool, textResult } from '../helpers-logic/scripted-session.ts';
import { MemoryApp, POLICY } from './memory-app.ts';

let app: MemoryApp;

beforeEach(() => {
  app = new MemoryApp('a');
});

/** Node hides its collector unless asked. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('this Node cannot be asked to collect garbage');
  return () => void collect();
}

describe('recovery', () => {
  it('unregisters nothing for an unchanged list, and the same definitions reach the new connection (S33, S56)', async () => {
    app.server.tools.push(listedTool('b'));
    await app.load();
    const definitions = app.host.names.map((name) => app.host.tool(name));
    app.host.changes.length = 0;
    const [first] = app.server.sessions;
    app.server.session.crash();
    await app.clock.advance(100);
    expect(app.host.changes).toEqual([]);
    expect(app.host.names.map((name) => app.host.tool(name))).toEqual(definitions);
    expect(app.server.session).not.toBe(first);
    expect(await app.host.call('mcp__mem__b')).toEqual(textResult('called b'));
    expect(app.lines('info').at(-1)).toBe('recovered at attempt 1 of 4: ready over stdio, 2 tools');
  });

  it('replaces the last generation by what the server lists now, nothing twice (S56)', async () => {
    await app.load();
    app.server.session.crash();
    app.server.tools = [listedTool('b'), listedTool('a')];
    await app.clock.advance(100);
    expect(app.host.names).toEqual(['mcp__mem__b', 'mcp__mem__a']);
  });

  it('does nothing about what an old connection reports late (S56)', async () => {
    await app.load();
    const [old] = app.server.sessions;
    old?.crash();
    old?.notify();
    await app.clock.advance(100);
    const { listings } = app.server;
    old?.notify();
    old?.lose();
    old?.vanish('again');
    await app.clock.advance(10_000);
    expect(app.server.listings).toBe(listings);
    expect(app.state).toMatchObject({ state: 'ready' });
    expect(app.opened).toBe(2);
  });

  it('does nothing about what a failed attempt reports late (S56)', async () => {
    await app.load();
    app.server.listError = new BridgeError('rpc-error', 'no list');
    app.server.session.crash();
    await app.clock.advance(100);
    app.server.listError = undefined;
    app.server.session.notify();
    await app.clock.advance(200);
    await app.clock.advance(10_000);
    expect(app.state).toMatchObject({ state: 'ready' });
    // The first, the one that failed, and that of the recovery.
    expect(app.server.listings).toBe(3);
  });

  it('leaves list changes alone while there is no connection', async () => {
    await app.load();
    app.server.session.notify();
    app.server.session.crash();
    await settle();
    expect(app.clock.waiting).toBe(1);
  });

  it.each(['first', 'later'])('is not announced when a change that its %s list causes ends the connection', async (list) => {
    await app.load();
    let isEnded = false;
    app.host.onChange = () => {
      if (!isEnded) app.server.session.crash();
      isEnded = true;
    };
    app.server.tools = [listedTool('b')];
    if (list === 'first') app.server.session.crash();
    else app.server.session.notify();
    await app.clock.advance(10_000);
    expect(isEnded).toBe(true);
    expect(app.state).toMatchObject({ state: 'ready' });
    const beforeReady = app.host.states.filter((_, index) => app.host.states[index + 1]?.state === 'ready');
    expect(beforeReady).toMatchObject([{ state: 'connecting' }, { state: 'reconnecting', nextDelayMs: undefined }]);
  });

  it('does not lose a list change that comes while the recovered server is listed (S31)', async () => {
    await app.load();
    const held = app.server.holdListings();
    app.server.session.crash();
    await app.clock.advance(100);
    app.server.session.notify();
    held.release();
    await settle();
    app.server.tools = [listedTool('b')];
    await app.clock.advance(100);
    expect(app.host.names).toEqual(['mcp__mem__b']);
  });

  it('stays connected when a foreign tool has come in the way; the next clean list restores the tools (S32)', async () => {
    app.server.tools = [listedTool('b')];
    await app.load();
    app.server.session.crash();
    app.server.tools = [listedTool('a')];
    const remove = app.host.registerForeign('mcp__mem__a');
    await app.clock.advance(100);
    expect(app.host.names).toEqual(['mcp__mem__a']);
    expect(app.state).toMatchObject({ state: 'ready', toolCount: 0, lastError: expect.stringContaining('mcp__mem__a') as unknown });
    expect(app.lines('info').at(-1)).toBe('recovered at attempt 1 of 4: ready over stdio, 0 tools');
    remove();
    app.server.session.notify();
    await app.clock.advance(100);
    expect(app.state).toMatchObject({ state: 'ready', toolCount: 1, lastError: undefined });
  });

  it('does not bring tools back by a sync that was under way when the budget was spent (S53)', async () => {
    await app.load({ reconnect: { ...POLICY, maxAttempts: 1 } });
    app.server.session.crash();
    await app.clock.advance(100);
    app.server.answersLate = true;
    const held = app.server.holdListings();
    app.server.tools = [listedTool('late')];
    app.server.session.notify();
    await app.clock.advance(10);
    await held.reached;
    app.server.session.crash();
    await settle();
    expect(app.state).toMatchObject({ state: 'failed', attempt: 1 });
    expect(app.host.names).toEqual([]);
    held.release();
    await app.clock.advance(10_000);
    expect(app.host.names).toEqual([]);
  });

  it('keeps nothing of a lost connection while it waits', async () => {
    const collectGarbage = garbageCollector();
    await app.load();
    const session = new WeakRef(app.server.session);
    app.server.session.crash();
    app.server.sessions.length = 0;
    await settle();
    collectGarbage();
    expect(session.deref()).toBeUndefined();
  });

  it('keeps nothing of the connections before (B24)', async () => {
    const collectGarbage = garbageCollector();
    await app.load({ reconnect: { ...POLICY, maxDelayMs: 100 } });
    const sessions: WeakRef<object>[] = [];
    for (let round = 0; round < 50; round += 1) {
      sessions.push(new WeakRef(app.server.session));
      app.server.session.crash();
      app.server.sessions.length = 0;
      await app.clock.advance(200);
    }
    expect(app.state).toMatchObject({ state: 'ready' });
    expect(app.clock.waiting).toBe(0);
    await settle();
    collectGarbage();
    expect(sessions.filter((session) => session.deref() !== undefined).length).toBeLessThan(5);
  });
});

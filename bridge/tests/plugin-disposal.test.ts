/** How an instance ends that is disposed, whatever it is at. */
import { beforeEach, describe, expect, it } from 'vitest';
import { BridgeError } from '../src/errors.ts';
import { bridgeState, whenDisposed } from '../src/internal.ts';
import { settle } from './helpers-logic/manual-clock.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { defer, listedTool, MemoryServer } from './helpers-logic/scripted-session.ts';

let host: MemoryHost;

beforeEach(() => {
  host = new MemoryHost();
});

describe('disposal', () => {
  it('takes the tools away at once, closes, and frees the name last (S60)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const loaded = host.load(memoryConfig(), server);
    await loaded.activated;
    const leaving = defer<void>();
    server.session.closing = leaving.promise;
    const disposal = loaded.dispose();
    expect(host.names).toEqual([]);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'disposed', toolCount: 0 }]);
    let gone = false;
    const waiting = whenDisposed(host.root, 'mem').then(() => (gone = true));
    await settle();
    expect(gone).toBe(false);
    leaving.resolve();
    await Promise.all([waiting, disposal]);
    expect(bridgeState(host.root)).toEqual([]);
  });

  it('gives up a listing under way and registers nothing afterwards (S60)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const held = server.holdListings();
    const loaded = host.load(memoryConfig(), server);
    await held.reached;
    await loaded.dispose();
    await loaded.activated;
    held.release();
    await settle();
    expect(host.changes).toEqual([]);
    expect(host.lines('error')).toEqual([]);
  });

  it('gives up a connection under way, and closes one that comes all the same (S60)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const gate = defer<void>();
    const begun = defer<void>();
    const loaded = host.load(memoryConfig(), server, {
      openSession: async (options) => {
        begun.resolve();
        await gate.promise;
        expect(options.signal?.aborted).toBe(true);
        return server.open(options);
      },
    });
    await begun.promise;
    const disposal = loaded.dispose();
    let ended = false;
    const awaited = disposal.then(() => (ended = true));
    await settle();
    expect(ended).toBe(false);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'disposed' }]);
    gate.resolve();
    await awaited;
    expect(server.session.closeCalls).toBe(1);
    await loaded.activated;
    expect(server.listings).toBe(0);
  });

  it('does nothing more when a change callback disposes it in the middle of a swap (S60)', async () => {
    const server = new MemoryServer(listedTool('a'), listedTool('b'), listedTool('c'));
    const loaded = host.load(memoryConfig(), server);
    let disposal: Promise<void> | undefined;
    host.onChange = () => {
      disposal ??= loaded.dispose();
    };
    await loaded.activated;
    await disposal;
    expect(host.names).toEqual([]);
    expect(host.lines('info')).toEqual([]);
  });

  it('does not tell of a refresh that a change callback cut short by disposing it (S60)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const loaded = host.load(memoryConfig(), server);
    await loaded.activated;
    const disposed = defer<void>();
    host.onChange = () => {
      host.onChange = () => undefined;
      void loaded.dispose().then(disposed.resolve);
    };
    server.tools.push(listedTool('b'));
    server.session.notify();
    await disposed.promise;
    await settle();
    expect(host.names).toEqual([]);
    expect(host.lines('info')).toEqual(['[mcp-bridge] mem: ready over stdio, 1 tools']);
  });

  it('says so when the server could not be ended, and frees the name all the same (S60)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const loaded = host.load(memoryConfig(), server);
    await loaded.activated;
    server.session.close = () => Promise.reject(new BridgeError('close-incomplete', 'process 5 is still there'));
    await loaded.dispose();
    expect(host.lines('error')).toEqual(['[mcp-bridge] mem: shutdown incomplete: process 5 is still there']);
    await host.load(memoryConfig(), new MemoryServer()).activated;
  });

  it('keeps nothing of a thousand reloads (B24)', async () => {
    for (let round = 0; round < 1_000; round += 1) {
      const loaded = host.load(memoryConfig(), new MemoryServer(listedTool('a')));
      await loaded.activated;
      await loaded.dispose();
    }
    expect(bridgeState(host.root)).toEqual([]);
    expect(host.names).toEqual([]);
  });
});

/** What stays of an instance whose connection ends by itself; how it comes back is in `supervisor`. */
import { beforeEach, describe, expect, it } from 'vitest';
import { bridgeState } from '../src/internal.ts';
import { settle } from './helpers-logic/manual-clock.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { listedTool, MemoryServer, textResult } from './helpers-logic/scripted-session.ts';

let host: MemoryHost;

beforeEach(() => {
  host = new MemoryHost();
});

describe('loss', () => {
  it('logs one error, keeps the tools, and fails calls at once (S57, S59)', async () => {
    const server = new MemoryServer(listedTool('a'));
    await host.load(memoryConfig({ reconnect: { enabled: false } }), server).activated;
    server.session.crash('the process exited with code 3');
    await settle();
    expect(host.names).toEqual(['mcp__mem__a']);
    await expect(host.call('mcp__mem__a')).rejects.toMatchObject({ code: 'not-connected', executed: 'no', message: expect.stringContaining('code 3') as unknown });
    expect(server.calls).toEqual([]);
    expect(host.lines('error')).toEqual(['[mcp-bridge] mem: connection lost: the process exited with code 3; its 1 tools stay registered and fail until this entry is reloaded']);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'failed', toolCount: 1 }]);
  });

  it('does not use a list that arrives after the end of its connection (S53, S56)', async () => {
    const server = new MemoryServer(listedTool('a'));
    await host.load(memoryConfig(), server).activated;
    const held = server.holdListings();
    server.tools = [listedTool('b')];
    server.session.notify();
    await held.reached;
    server.session.crash();
    held.release();
    await settle();
    expect(host.names).toEqual(['mcp__mem__a']);
    expect(host.lines('error')).toHaveLength(1);
    server.session.notify();
    await settle();
    expect(server.listings).toBe(2);
  });

  it.each(['crash', 'dispose'] as const)('does not use a list whose answer comes after a %s (S53, S56, S60)', async (end) => {
    const server = new MemoryServer(listedTool('a'));
    server.answersLate = true;
    const loaded = host.load(memoryConfig(), server);
    await loaded.activated;
    const held = server.holdListings();
    server.tools = [listedTool('b')];
    server.session.notify();
    await held.reached;
    host.changes.length = 0;
    if (end === 'crash') server.session.crash();
    const disposal = end === 'dispose' ? loaded.dispose() : Promise.resolve();
    held.release();
    await disposal;
    await settle();
    expect(host.changes).toEqual(end === 'dispose' ? ['-mcp__mem__a'] : []);
  });

  it('counts as one failure when the connection ends during the first listing', async () => {
    const server = new MemoryServer(listedTool('a'));
    const held = server.holdListings();
    const loaded = host.load(memoryConfig(), server);
    await held.reached;
    server.session.crash();
    await loaded.activated;
    expect(host.names).toEqual([]);
    expect(host.lines('error')).toHaveLength(1);
  });

  it('leaves other servers alone (B19)', async () => {
    const first = new MemoryServer(listedTool('a'));
    await host.load(memoryConfig({ serverName: 'one' }), first).activated;
    await host.load(memoryConfig({ serverName: 'two' }), new MemoryServer(listedTool('a'))).activated;
    first.session.crash();
    await settle();
    expect(await host.call('mcp__two__a')).toEqual(textResult('called a'));
    expect(bridgeState(host.root).map((state) => state.state)).toEqual(['failed', 'ready']);
  });
});

/** How an instance begins, and what of it can be replaced; its later life is in the other files named `plugin-…`. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BridgeError } from '../src/errors.ts';
import { bridgeState, createBridgePlugin, referenceStages } from '../src/internal.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { listedTool, MemoryServer } from './helpers-logic/scripted-session.ts';

let host: MemoryHost;

beforeEach(() => {
  host = new MemoryHost();
});

describe('activation', () => {
  it('settles when the tools are registered, in listing order, all pages (S12, S24)', async () => {
    const server = new MemoryServer(listedTool('b'), listedTool('a.x'), listedTool('c'));
    server.pageSize = 2;
    await host.load(memoryConfig(), server).activated;
    expect(host.names).toEqual(['mcp__mem__b', expect.stringMatching(/^mcp__mem__a_x_[0-9a-f]{12}$/), 'mcp__mem__c']);
    expect(bridgeState(host.root)).toEqual([{ serverName: 'mem', state: 'ready', attempt: 0, toolCount: 3, lastError: undefined }]);
    expect(host.states.map((state) => state.state)).toEqual(['connecting', 'ready']);
  });

  it('fails on a bad config that never passed the schema, with one message (S09)', async () => {
    const loaded = host.load(memoryConfig({ toolCallTimeoutMs: 0 }), new MemoryServer());
    await expect(loaded.activated).rejects.toMatchObject({ code: 'config-invalid', message: expect.stringContaining('config.toolCallTimeoutMs') as unknown });
    expect(bridgeState(host.root)).toEqual([]);
  });

  it('logs a failed first connection and activates without tools (S06, S57)', async () => {
    const server = new MemoryServer(listedTool('a'));
    server.connectError = new BridgeError('connect-failed', 'no such program');
    await host.load(memoryConfig(), server).activated;
    expect(host.names).toEqual([]);
    expect(host.lines('error')).toEqual(['[mcp-bridge] mem: not available: no such program; it has no tools until this entry is reloaded']);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'failed', lastError: 'no such program' }]);
  });

  it.each([
    ['a connection', (server: MemoryServer) => (server.connectError = new BridgeError('connect-failed', 'broken')), 'connect-failed'],
    ['a listing', (server: MemoryServer) => (server.listError = new BridgeError('rpc-error', 'broken')), 'discovery-failed'],
    ['a void list', (server: MemoryServer) => server.tools.push(listedTool('a')), 'list-invalid'],
  ])('rejects a strict activation for %s that fails, and leaves nothing behind (S06)', async (_what, breakIt, code) => {
    const server = new MemoryServer(listedTool('a'));
    breakIt(server);
    const loaded = host.load(memoryConfig({ failOnStartupError: true }), server);
    await expect(loaded.activated).rejects.toMatchObject({ code });
    expect(host.names).toEqual([]);
    expect(bridgeState(host.root)).toEqual([]);
    expect(server.sessions.every((session) => session.closeCalls > 0)).toBe(true);
    expect(host.lines('error')).toHaveLength(1);
  });

  it('closes the connection of a first listing that fails, even if not strict (S06)', async () => {
    const server = new MemoryServer(listedTool('a'), listedTool('a'));
    await host.load(memoryConfig(), server).activated;
    expect(server.session.closeCalls).toBe(1);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'failed', toolCount: 0 }]);
  });

  it('keeps the connection when a foreign tool is in the way, and the next clean sync restores the tools (S32)', async () => {
    const free = host.registerForeign('mcp__mem__b');
    const server = new MemoryServer(listedTool('a'), listedTool('b'));
    await host.load(memoryConfig(), server).activated;
    expect(host.names).toEqual(['mcp__mem__b']);
    expect(server.session.closeCalls).toBe(0);
    expect(host.lines('error')).toHaveLength(1);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'ready', toolCount: 0, lastError: expect.stringContaining('mcp__mem__b') as unknown }]);
    free();
    server.session.notify();
    await vi.waitFor(() => expect(host.names).toEqual(['mcp__mem__a', 'mcp__mem__b']));
    await vi.waitFor(() => expect(bridgeState(host.root)).toMatchObject([{ toolCount: 2, lastError: undefined }]));
  });

  it('rejects a strict activation for a registry conflict (S32)', async () => {
    host.registerForeign('mcp__mem__a');
    const loaded = host.load(memoryConfig({ failOnStartupError: true }), new MemoryServer(listedTool('a')));
    await expect(loaded.activated).rejects.toMatchObject({ code: 'registry-conflict' });
    expect(host.names).toEqual(['mcp__mem__a']);
  });

  it('does not let a notice before the first listing use up the strictness, nor lose it (S31)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const held = server.holdListings();
    const loaded = host.load(memoryConfig({ failOnStartupError: true }), server);
    await held.reached;
    server.session.notify();
    held.release();
    await loaded.activated;
    await vi.waitFor(() => expect(server.listings).toBe(2));
  });
});

it('is called by one name, in the plugin and in what the host shows of its effects', async () => {
  expect(createBridgePlugin().name).toBe('mcp-bridge');
  await host.load(memoryConfig(), new MemoryServer()).activated;
  expect(host.effects).toEqual(['mcp-bridge mem']);
});

describe('stages', () => {
  it('can be replaced one by one', async () => {
    const server = new MemoryServer(listedTool('a'));
    await host.load(memoryConfig(), server, { publicToolName: (serverName, rawName) => `x__${serverName}__${rawName}` }).activated;
    expect(host.names).toEqual(['x__mem__a']);
    expect(Object.keys(referenceStages)).toContain('disposeSteps');
  });
});

/** What an instance makes of a server's word that its list changed. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BridgeError } from '../src/errors.ts';
import { bridgeState } from '../src/internal.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { listedTool, MemoryServer } from './helpers-logic/scripted-session.ts';

let host: MemoryHost;

beforeEach(() => {
  host = new MemoryHost();
});

describe('list changes', () => {
  it('re-syncs: adds, drops, and leaves the others identical (S27, R16)', async () => {
    const server = new MemoryServer(listedTool('a'), listedTool('b'));
    await host.load(memoryConfig(), server).activated;
    const before = host.tool('mcp__mem__a');
    server.tools = [listedTool('a'), listedTool('c')];
    server.session.notify();
    await vi.waitFor(() => expect(host.names).toEqual(['mcp__mem__a', 'mcp__mem__c']));
    expect(JSON.stringify(host.tool('mcp__mem__a'))).toBe(JSON.stringify(before));
  });

  it('unregisters nothing for an unchanged list (S33)', async () => {
    const server = new MemoryServer(listedTool('a'), listedTool('b'));
    await host.load(memoryConfig(), server).activated;
    host.changes.length = 0;
    server.session.notify();
    await vi.waitFor(() => expect(host.lines('debug')).toHaveLength(1));
    expect(host.changes).toEqual([]);
  });

  it('takes over a new output schema of a tool whose definition stays (S37)', async () => {
    const server = new MemoryServer(listedTool('a'));
    server.onCall = () => ({ content: [], structuredContent: { n: 'x' } });
    await host.load(memoryConfig(), server).activated;
    await host.call('mcp__mem__a');
    server.tools = [listedTool('a', { outputSchema: { properties: { n: { type: 'number' } } } })];
    server.session.notify();
    await vi.waitFor(() => expect(host.lines('debug')).toHaveLength(1));
    await expect(host.call('mcp__mem__a')).rejects.toMatchObject({ code: 'output-invalid' });
  });

  it('keeps the last good list when a refresh fails, whole, and says so (S28, R20)', async () => {
    const server = new MemoryServer(listedTool('a'));
    await host.load(memoryConfig(), server).activated;
    server.listError = new BridgeError('rpc-error', 'internal error');
    server.session.notify();
    await vi.waitFor(() => expect(host.lines('error')).toHaveLength(1));
    expect(host.names).toEqual(['mcp__mem__a']);
    expect(host.lines('error')[0]).toContain('the 1 tools of the last good one stay');
    expect(bridgeState(host.root)).toMatchObject([{ state: 'ready', lastError: expect.stringContaining('internal error') as unknown }]);
    server.listError = undefined;
    server.session.notify();
    await vi.waitFor(() => expect(bridgeState(host.root)).toMatchObject([{ lastError: undefined }]));
  });

  it('swaps without a moment in between: other code sees the old set or the new one (S30)', async () => {
    const server = new MemoryServer(listedTool('a'), listedTool('b'));
    await host.load(memoryConfig(), server).activated;
    const seen = new Set<string>();
    let watching = true;
    const watch = (): void => {
      seen.add(host.names.join(' '));
      if (watching) setImmediate(watch);
    };
    host.onChange = () => void Promise.resolve().then(() => seen.add(host.names.join(' ')));
    watch();
    server.tools = [listedTool('c'), listedTool('b')];
    server.session.notify();
    await vi.waitFor(() => expect(host.names).toContain('mcp__mem__c'));
    watching = false;
    expect([...seen].toSorted()).toEqual(['mcp__mem__a mcp__mem__b', 'mcp__mem__c mcp__mem__b']);
  });

  it('names what is odd about a list once, and again only when it changes (S29, B13)', async () => {
    const server = new MemoryServer(listedTool('a'), { name: 'b' }, 5);
    await host.load(memoryConfig(), server).activated;
    expect(host.lines('warn')).toEqual([
      '[mcp-bridge] mem: entry 2 of the tool list is no object and is left out',
      '[mcp-bridge] mem: tool "b" has no input schema; the model is shown one that takes any object',
    ]);
    server.session.notify();
    await vi.waitFor(() => expect(host.lines('debug')).toHaveLength(1));
    expect(host.lines('warn')).toHaveLength(2);
  });
});

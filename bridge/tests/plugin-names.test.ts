/** One name of a server for one instance, one public name for one tool. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bridgeState } from '../src/internal.ts';
import { settle } from './helpers-logic/manual-clock.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { defer, listedTool, MemoryServer, textResult } from './helpers-logic/scripted-session.ts';

let host: MemoryHost;

beforeEach(() => {
  host = new MemoryHost();
});

/** An instance that is being disposed, whose server is not gone before `leave` is called. */
async function leavingInstance(): Promise<{ readonly disposal: Promise<void>; readonly leave: () => void }> {
  const server = new MemoryServer(listedTool('a'));
  const instance = host.load(memoryConfig(), server);
  await instance.activated;
  const { promise, resolve } = defer<void>();
  server.session.closing = promise;
  return { disposal: instance.dispose(), leave: resolve };
}

describe('names', () => {
  it('fails the later instance of a name, leaves the earlier one alone, and frees the name on disposal (S08)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const first = host.load(memoryConfig(), server);
    await first.activated;
    const second = host.load(memoryConfig(), new MemoryServer(listedTool('b')));
    await expect(second.activated).rejects.toMatchObject({ code: 'server-name-taken', message: expect.stringContaining('config.serverName: "mem"') as unknown });
    await second.dispose();
    expect(host.names).toEqual(['mcp__mem__a']);
    expect(bridgeState(host.root)).toMatchObject([{ state: 'ready' }]);
    expect(host.states.map((state) => state.state)).toEqual(['connecting', 'ready']);
    await first.dispose();
    await host.load(memoryConfig(), new MemoryServer(listedTool('b'))).activated;
    expect(host.names).toEqual(['mcp__mem__b']);
  });

  it('waits for an instance of the same name that is being disposed (S08)', async () => {
    const { disposal, leave } = await leavingInstance();
    const next = new MemoryServer(listedTool('b'));
    const second = host.load(memoryConfig(), next);
    await settle();
    expect(next.sessions).toEqual([]);
    leave();
    await disposal;
    await second.activated;
    expect(host.names).toEqual(['mcp__mem__b']);
  });

  it('waits no longer than it says (S08)', async () => {
    const { disposal, leave } = await leavingInstance();
    const second = host.load(memoryConfig({ nameWaitMs: 20 }), new MemoryServer());
    await expect(second.activated).rejects.toMatchObject({ code: 'server-name-taken', message: expect.stringContaining('after 20 ms') as unknown });
    leave();
    await disposal;
  });

  it('never lets one public name stand for two tools of two servers, whichever syncs later (S18, S28)', async () => {
    const first = new MemoryServer(listedTool('b__c'));
    const second = new MemoryServer(listedTool('d'));
    await host.load(memoryConfig({ serverName: 'a' }), first).activated;
    await host.load(memoryConfig({ serverName: 'a__b' }), second).activated;
    second.tools = [listedTool('c')];
    second.session.notify();
    await vi.waitFor(() => expect(host.lines('error')).toHaveLength(1));
    expect(host.names).toEqual(['mcp__a__b__c', 'mcp__a__b__d']);
    expect(await host.call('mcp__a__b__c')).toEqual(textResult('called b__c'));
    expect(host.lines('error')[0]).toContain('"b__c" of server "a" and "c" of server "a__b"');
  });
});

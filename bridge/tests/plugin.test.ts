import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BridgeError } from '../src/errors.ts';
import { bridgeState, referenceStages, whenDisposed } from '../src/internal.ts';
import { MemoryHost, memoryConfig } from './helpers-logic/memory-host.ts';
import { defer, listedTool, MemoryServer, textResult } from './helpers-logic/scripted-session.ts';
import { settle } from './helpers-logic/manual-clock.ts';

let host: MemoryHost;

beforeEach(() => {
  host = new MemoryHost();
});

/** Everything a person may read, as one text. */
function readable(error?: unknown): string {
  return [String(error), JSON.stringify(host.logs), JSON.stringify(host.states)].join('\n');
}

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

describe('secrets', () => {
  const key = 'canary-5f2e91';
  const config = memoryConfig({ env: { API_KEY: key }, failOnStartupError: true });

  const failed = (server: MemoryServer): Promise<unknown> => host.load(config, server).activated.then(() => undefined, (error: unknown) => error);

  it.each<readonly [string, (server: MemoryServer) => void, string]>([
    ['a failed connection', (server) => (server.connectError = new BridgeError('protocol-unsupported', `it answered with revision "${key}"`)), 'revision "[redacted]"'],
    ['a tool that is listed twice', (server) => server.tools.push(listedTool(`x${key}`), listedTool(`x${key}`)), '"x[redacted]" twice'],
    ['a long name that is cut in the middle of one', (server) => server.tools.push(...Array.from({ length: 2 }, () => listedTool(`${'x'.repeat(110)}${key}`))), 'x[redacted]…" twice'],
  ])('are kept out of the error, the log and the state of %s (B18)', async (_what, breakIt, words) => {
    const server = new MemoryServer();
    breakIt(server);
    const text = readable(await failed(server));
    expect(text).not.toContain(key.slice(0, 8));
    expect(text).toContain(words);
  });

  it('are kept out of the error that a tool reports, in which other settings stay (B18, S36)', async () => {
    const server = new MemoryServer(listedTool('a'));
    server.onCall = () => ({ isError: true, content: [{ type: 'text', text: `key ${key} does not open /srv/data` }] });
    await host.load(memoryConfig({ env: { API_KEY: key, ROOT: '/srv/data' } }), server).activated;
    await expect(host.call('mcp__mem__a')).rejects.toMatchObject({ code: 'tool-error', executed: 'yes', message: 'key [redacted] does not open /srv/data' });
  });

  it('are kept out of what is said of odd entries, conflicts and refreshes (B18)', async () => {
    const server = new MemoryServer(listedTool(`a${key}`, { description: 5 }));
    host.registerForeign(`mcp__mem__a${key}`);
    await host.load(memoryConfig({ env: { API_KEY: key } }), server).activated;
    server.tools.push(listedTool(`x${key}`), listedTool(`x${key}`));
    server.session.notify();
    await vi.waitFor(() => expect(host.lines('error').join()).toContain('could not be read again'));
    expect(host.lines('warn').join()).toContain('tool "a[redacted]" has a description that is no text');
    expect(bridgeState(host.root)[0]?.lastError).toContain('"x[redacted]" twice');
    expect(readable()).not.toContain(key);
  });
});

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
    const server = new MemoryServer(listedTool('a'));
    const first = host.load(memoryConfig(), server);
    await first.activated;
    const leaving = defer<void>();
    server.session.closing = leaving.promise;
    const disposal = first.dispose();
    const next = new MemoryServer(listedTool('b'));
    const second = host.load(memoryConfig(), next);
    await settle();
    expect(next.sessions).toEqual([]);
    leaving.resolve();
    await disposal;
    await second.activated;
    expect(host.names).toEqual(['mcp__mem__b']);
  });

  it('waits no longer than it says (S08)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const first = host.load(memoryConfig(), server);
    await first.activated;
    const leaving = defer<void>();
    server.session.closing = leaving.promise;
    const disposal = first.dispose();
    const second = host.load(memoryConfig({ nameWaitMs: 20 }), new MemoryServer());
    await expect(second.activated).rejects.toMatchObject({ code: 'server-name-taken', message: expect.stringContaining('after 20 ms') as unknown });
    leaving.resolve();
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

describe('stages', () => {
  it('can be replaced one by one', async () => {
    const server = new MemoryServer(listedTool('a'));
    await host.load(memoryConfig(), server, { publicToolName: (serverName, rawName) => `x__${serverName}__${rawName}` }).activated;
    expect(host.names).toEqual(['x__mem__a']);
    expect(Object.keys(referenceStages)).toContain('disposeSteps');
  });
});

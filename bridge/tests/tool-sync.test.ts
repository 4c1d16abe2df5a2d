import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../src/config.ts';
import type { ToolRegistry } from '../src/host-services.ts';
import { serverDirectory } from '../src/server-directory.ts';
import { referenceStages } from '../src/stages.ts';
import { ToolSync, type SyncOutcome } from '../src/tool-sync.ts';
import { settle } from './helpers-logic/manual-clock.ts';
import { memoryConfig } from './helpers-logic/memory-host.ts';
import { listedTool, MemoryServer, MemorySession } from './helpers-logic/scripted-session.ts';

interface Syncing {
  readonly run: () => Promise<SyncOutcome>;
  readonly sync: ToolSync;
  readonly session: MemorySession;
  readonly dispose: () => void;
  readonly lines: string[];
}

/** A sync over a server in memory, and what it logged. */
function syncing(server: MemoryServer, registry: ToolRegistry, config: Readonly<Record<string, unknown>> = {}): Syncing {
  const lines: string[] = [];
  const owner = new AbortController();
  const sync = new ToolSync({
    config: resolveConfig(memoryConfig(config)).config,
    stages: referenceStages,
    registry,
    directory: serverDirectory({}),
    execute: () => Promise.resolve(null),
    render: () => [],
    log: (level, message) => void lines.push(`${level} ${message}`),
    signal: owner.signal,
  });
  const session = new MemorySession(server, { onToolListChanged: () => undefined, onDiagnostic: () => undefined });
  server.sessions.push(session);
  return { run: () => sync.run(session), sync, session, dispose: () => owner.abort(), lines };
}

const accepting: ToolRegistry = { register: () => () => undefined };

describe('ToolSync', () => {
  it('logs twenty oddities of a list and counts the rest, once while they stay the same (S29, B01)', async () => {
    const server = new MemoryServer(...Array.from({ length: 25 }, () => null), listedTool('a'));
    const { run, sync, lines } = syncing(server, accepting);
    await run();
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe('warn entry 0 of the tool list is no object and is left out');
    expect(lines.at(-1)).toBe('warn and 5 more oddities of its tool list');
    await run();
    expect(lines).toHaveLength(21);
    server.tools = [null, listedTool('a')];
    await run();
    expect(lines.slice(21)).toEqual(['warn entry 0 of the tool list is no object and is left out']);
    expect(sync.toolCount).toBe(1);
  });

  it.each<readonly [string, readonly unknown[], boolean]>([
    ['is the same', [listedTool('a'), listedTool('b')], false],
    ['is longer', [listedTool('a'), listedTool('b'), listedTool('c')], true],
    ['is shorter', [listedTool('a')], true],
    ['differs in one tool', [listedTool('a'), listedTool('b', { description: 'other' })], true],
  ])('tells whether the model sees anything else: the list %s (B02, S33)', async (_what, next, changed) => {
    const server = new MemoryServer(listedTool('a'), listedTool('b'));
    const { run } = syncing(server, accepting);
    expect(await run()).toEqual({ changed: true, toolCount: 2, conflict: undefined });
    server.tools = [...next];
    expect(await run()).toEqual({ changed, toolCount: next.length, conflict: undefined });
  });

  it('says as an error which foreign tool is in the way, and tells it (S32)', async () => {
    const { run, lines } = syncing(new MemoryServer(listedTool('a')), { register: () => { throw new Error('it is taken'); } });
    const { conflict } = await run();
    expect(conflict).toMatchObject({ code: 'registry-conflict' });
    expect(lines).toEqual([`error ${conflict?.message}`]);
  });

  it('reads the list within the bounds of its config (B01)', async () => {
    const { run } = syncing(new MemoryServer(listedTool('a'), listedTool('b')), accepting, { maxTools: 1 });
    await expect(run()).rejects.toMatchObject({ code: 'limit-exceeded', message: expect.stringContaining('more than 1 tools') as unknown });
  });

  it('is idle when the sync under way has ended (S60)', async () => {
    const server = new MemoryServer(listedTool('a'));
    const held = server.holdListings();
    const { run, sync } = syncing(server, accepting);
    const order: string[] = [];
    const ran = run().then(() => order.push('ran'));
    await held.reached;
    const idle = sync.idle().then(() => order.push('idle'));
    // Whoever waits for nothing goes on before this does.
    await settle();
    held.release();
    await Promise.all([ran, idle]);
    expect(order).toEqual(['ran', 'idle']);
  });

  it.each([
    ['is disposed', 'disposed', 'MCP server "mem": disposed while its tools were being listed'],
    ['has lost its connection', 'connection-lost', 'MCP server "mem": the connection ended before its tool list could be used'],
  ] as const)('uses no list once the instance %s, neither one that was read nor a new one (S53, S60)', async (how, code, message) => {
    const server = new MemoryServer(listedTool('a'));
    server.answersLate = true;
    const held = server.holdListings();
    const { run, sync, session, dispose } = syncing(server, accepting);
    const running = run();
    await held.reached;
    if (how === 'is disposed') dispose();
    else session.lose();
    held.release();
    await expect(running).rejects.toMatchObject({ code, message });
    await expect(run()).rejects.toMatchObject({ code, message });
    expect([server.listings, sync.toolCount]).toEqual([1, 0]);
  });

  it('says which tool the registry failed to remove, and lets go of the others all the same', async () => {
    const removed: string[] = [];
    const { run, sync, lines } = syncing(new MemoryServer(listedTool('a'), listedTool('b'), listedTool('c')), {
      register: ({ name }) => () => {
        if (name.endsWith('b')) throw new Error('stuck');
        removed.push(name);
      },
    });
    await run();
    sync.unregisterAll();
    expect(removed).toEqual(['mcp__mem__c', 'mcp__mem__a']);
    expect(lines).toEqual(['error the tool "mcp__mem__b" could not be removed from the registry: stuck']);
    expect(sync.toolCount).toBe(0);
  });
});

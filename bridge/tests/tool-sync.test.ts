import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../src/config.ts';
import type { ToolRegistry } from '../src/host-services.ts';
import { serverDirectory } from '../src/server-directory.ts';
import { referenceStages } from '../src/stages.ts';
import { ToolSync } from '../src/tool-sync.ts';
import { memoryConfig } from './helpers-logic/memory-host.ts';
import { listedTool, MemoryServer, MemorySession } from './helpers-logic/scripted-session.ts';

/** A sync over a server in memory, and what it logged. */
function syncing(server: MemoryServer, registry: ToolRegistry): { readonly run: () => Promise<unknown>; readonly sync: ToolSync; readonly lines: string[] } {
  const lines: string[] = [];
  const sync = new ToolSync({
    config: resolveConfig(memoryConfig()).config,
    stages: referenceStages,
    registry,
    directory: serverDirectory({}),
    execute: () => Promise.resolve(null),
    render: () => [],
    log: (level, message) => void lines.push(`${level} ${message}`),
    signal: new AbortController().signal,
  });
  const session = new MemorySession(server, { onToolListChanged: () => undefined, onDiagnostic: () => undefined });
  server.sessions.push(session);
  return { run: () => sync.run(session), sync, lines };
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

import { assert, array, constantFrom, property, tuple, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDefinitions, type BuiltTool } from '../src/definitions.ts';
import { swapGeneration, type Generation, type SwapOutcome } from '../src/generation.ts';
import type { ToolRegistry } from '../src/host-services.ts';
import type { ToolIdentity } from '../src/server-directory.ts';
import type { NamedTool } from '../src/tool-list.ts';
import { listedTool } from './helpers-logic/scripted-session.ts';

/** A registry that remembers its order and what happened. */
class RecordingRegistry implements ToolRegistry {
  readonly names: string[] = [];
  readonly changes: string[] = [];

  register({ name }: { readonly name: string }): () => void {
    if (this.names.includes(name)) throw new Error(`${name} is taken`);
    this.names.push(name);
    this.changes.push(`+${name}`);
    return () => {
      this.names.splice(this.names.indexOf(name), 1);
      this.changes.push(`-${name}`);
    };
  }
}

/** Tools as `name` or `name:version`, where the version is the description. */
function built(...tools: string[]): readonly BuiltTool[] {
  const named = tools.map((tool) => {
    const [rawName = '', version = ''] = tool.split(':');
    return { rawName, publicName: rawName, raw: listedTool(rawName, { description: version }) };
  });
  return builtFrom(named);
}

function builtFrom(tools: readonly NamedTool[]): readonly BuiltTool[] {
  return buildDefinitions({ tools, schemaRoot: 'pass', execute: () => Promise.resolve(null), render: () => [] }).tools;
}

function swapper(): { readonly registry: RecordingRegistry; readonly claims: Map<string, ToolIdentity>; readonly swap: (...tools: string[]) => SwapOutcome } {
  const registry = new RecordingRegistry();
  const claims = new Map<string, ToolIdentity>();
  let current: Generation = [];
  return {
    registry,
    claims,
    swap: (...tools) => {
      const outcome = swapGeneration({ serverName: 's', registry, claims, current, next: built(...tools), onUnregisterFailed: () => undefined });
      current = outcome.generation;
      return outcome;
    },
  };
}

describe('swapGeneration', () => {
  it('leaves an unchanged list registered as it is (S33)', () => {
    const { registry, swap } = swapper();
    swap('a', 'b');
    registry.changes.length = 0;
    expect(swap('a', 'b')).toMatchObject({ kept: 2, conflict: undefined });
    expect(registry.changes).toEqual([]);
  });

  it('keeps what stands before the first difference and registers the rest afresh, in order (S27, S33)', () => {
    const { registry, swap } = swapper();
    swap('a', 'b', 'c');
    registry.changes.length = 0;
    expect(swap('a', 'b:2', 'c', 'd').kept).toBe(1);
    expect(registry.changes).toEqual(['-c', '-b', '+b', '+c', '+d']);
    expect(registry.names).toEqual(['a', 'b', 'c', 'd']);
  });

  it('registers a tool afresh whose raw name is another, though the model sees the same (S15, S18)', () => {
    const registry = new RecordingRegistry();
    const claims = new Map<string, ToolIdentity>();
    const input = { serverName: 's', registry, claims, onUnregisterFailed: () => undefined };
    const [first, second] = ['x\uD800', 'x\uD801'].map((rawName) => builtFrom([{ rawName, publicName: 'x', raw: listedTool('x') }]));
    const { generation } = swapGeneration({ ...input, current: [], next: first ?? [] });
    const swapped = swapGeneration({ ...input, current: generation, next: second ?? [] });
    expect(swapped.generation.map(({ slot }) => slot.rawName)).toEqual(['x\uD801']);
    expect(registry.changes).toEqual(['+x', '-x', '+x']);
    expect([...claims]).toEqual([['x', { serverName: 's', rawName: 'x\uD801' }]]);
  });

  it('unregisters nothing when tools are only added at the end', () => {
    const { registry, swap } = swapper();
    swap('a');
    registry.changes.length = 0;
    swap('a', 'b');
    expect(registry.changes).toEqual(['+b']);
  });

  it('rolls everything back when a foreign tool is in the way, and leaves that alone (S32)', () => {
    const { registry, claims, swap } = swapper();
    swap('a', 'b');
    registry.register({ name: 'd' });
    const { generation, conflict } = swap('a', 'c', 'd', 'e');
    expect(conflict).toMatchObject({ code: 'registry-conflict', message: expect.stringContaining('"d"') as unknown, cause: { message: 'd is taken' } });
    expect(generation).toEqual([]);
    expect(registry.names).toEqual(['d']);
    expect([...claims.keys()]).toEqual([]);
    registry.names.splice(0);
    expect(swap('a', 'c', 'd', 'e').conflict).toBeUndefined();
    expect(registry.names).toEqual(['a', 'c', 'd', 'e']);
  });

  it.each([
    ['throws', (): never => { throw new Error('stuck'); }],
    ['rejects, as an effect of Cordis 4 may', (): Promise<never> => Promise.reject(new Error('stuck'))],
  ])('goes on when the registry %s as a tool is removed, and tells which tool it was', async (_how, dispose) => {
    const failures: string[] = [];
    const claims = new Map<string, ToolIdentity>();
    const registry: ToolRegistry = { register: ({ name }) => (name === 'b' ? dispose : () => undefined) };
    const onUnregisterFailed = (publicName: string, error: unknown): void => void failures.push(`${publicName}: ${String(error)}`);
    const { generation } = swapGeneration({ serverName: 's', registry, claims, current: [], next: built('a', 'b', 'c'), onUnregisterFailed });
    const outcome = swapGeneration({ serverName: 's', registry, claims, current: generation, next: built('d'), onUnregisterFailed });
    await Promise.resolve();
    expect(failures).toEqual(['b: Error: stuck']);
    expect(outcome.conflict).toBeUndefined();
    expect([...claims.keys()]).toEqual(['d']);
  });

  it('ends with exactly the next list in order, registered and claimed, whatever came before', () => {
    const list = uniqueArray(tuple(constantFrom('a', 'b', 'c', 'd', 'e'), constantFrom('1', '2')), { selector: ([name]) => name, maxLength: 5 });
    assert(
      property(array(list, { maxLength: 6 }), (lists) => {
        const { registry, claims, swap } = swapper();
        for (const tools of lists) {
          const { generation } = swap(...tools.map(([name, version]) => `${name}:${version}`));
          const names = tools.map(([name]) => name);
          expect(registry.names).toEqual(names);
          expect([...claims.keys()].toSorted()).toEqual(names.toSorted());
          expect(generation.map((tool) => tool.definition.description)).toEqual(tools.map(([, version]) => version));
        }
      }),
    );
  });
});

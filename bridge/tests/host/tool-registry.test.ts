import { describe, expect, test, vi } from 'vitest';
import type { ToolDefinition } from '../../src/host-services.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import { textValue, tool } from './sample-tools.ts';

const value = async (): Promise<unknown> => textValue('x');

describe('a tool registry', () => {
  test('lists tools in the order of registration', () => {
    const registry = new LocalToolRegistry();
    for (const name of ['b', 'a', '10', '2']) registry.register(tool(name, value));
    expect(registry.list().map(({ name }) => name)).toEqual(['b', 'a', '10', '2']);
    expect(registry.schemas()[0]).toEqual({ name: 'b', description: 'the tool b', parameters: { type: 'object' } });
  });

  test('refuses a taken name and keeps the tool that has it', () => {
    const registry = new LocalToolRegistry();
    const first = tool('a', value);
    registry.register(first);
    expect(() => registry.register(tool('a', value))).toThrow(expect.objectContaining({ code: 'tool-name-taken' }));
    expect(registry.get('a')).toBe(first);
  });

  test.each([['', '""'], ['a.b', '"a.b"'], ['ä', '"ä"'], ['x'.repeat(65), `"${'x'.repeat(65)}"`], ['a b', '"a b"'], [7, '7']])('refuses the name %j', (name, shown) => {
    const definition: ToolDefinition = Object.assign(tool('a', value), { name });
    expect(() => new LocalToolRegistry().register(definition)).toThrow(
      expect.objectContaining({ code: 'tool-name-invalid', message: `the tool name ${shown} is not 1 to 64 letters, digits, "_" or "-"; rename the tool` }),
    );
  });

  test.each([
    ['execute', { execute: undefined }],
    ['output', { output: undefined }],
    ['output.render', { output: { schema: {} } }],
  ])('refuses a definition without %s', (_what, missing) => {
    const registry = new LocalToolRegistry();
    const definition: ToolDefinition = Object.assign(tool('a', value), missing);
    expect(() => registry.register(definition)).toThrow(expect.objectContaining({ code: 'tool-definition-invalid', message: 'the tool "a" needs functions "execute" and "output.render"' }));
    expect(registry.list()).toEqual([]);
  });

  test('accepts names that are members of every object', () => {
    const registry = new LocalToolRegistry();
    expect(registry.get('constructor')).toBeUndefined();
    for (const name of ['__proto__', 'constructor']) registry.register(tool(name, value));
    expect(registry.list().map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  });

  test('a stale disposer does not remove a later tool of the same name', () => {
    const registry = new LocalToolRegistry();
    const definition = tool('a', value);
    const dispose = registry.register(definition);
    dispose();
    registry.register(definition);
    dispose();
    expect(registry.get('a')).toBe(definition);
  });

  test('tells of each change inside it, and once when the job has ended', async () => {
    const registry = new LocalToolRegistry();
    const inside: number[] = [];
    const settled: [number, number][] = [];
    registry.onChange(() => inside.push(registry.list().length));
    registry.onSettled((revision) => settled.push([revision, registry.list().length]));
    const disposers = ['a', 'b', 'c'].map((name) => registry.register(tool(name, value)));
    disposers[1]?.();
    expect(inside).toEqual([1, 2, 3, 2]);
    expect(settled).toEqual([]);
    await Promise.resolve();
    expect(settled).toEqual([[4, 2]]);
    disposers[0]?.();
    await Promise.resolve();
    expect(settled).toEqual([[4, 2], [5, 1]]);
  });

  test('a listener that throws is reported and disturbs neither the others nor the registration', () => {
    const errors: unknown[] = [];
    const registry = new LocalToolRegistry({ onListenerError: (error) => errors.push(error) });
    let seen = 0;
    registry.onChange(() => {
      throw new Error('listener');
    });
    registry.onChange(() => {
      seen += 1;
    });
    registry.register(tool('a', value));
    expect([seen, errors.length, registry.list().length]).toEqual([1, 1, 1]);
  });

  test('warns the process of a listener that throws where nobody else is told', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    try {
      const registry = new LocalToolRegistry();
      registry.onChange(() => {
        throw new Error('listener');
      });
      registry.register(tool('a', value));
      expect(warned.mock.calls).toEqual([['a listener of the tool registry failed: listener']]);
    } finally {
      warned.mockRestore();
    }
  });

  test('a removed listener is told nothing more', () => {
    const registry = new LocalToolRegistry();
    let seen = 0;
    const listener = (): void => {
      seen += 1;
    };
    const remove = registry.onChange(listener);
    registry.onChange(listener);
    remove();
    registry.register(tool('a', value));
    expect(seen).toBe(1);
  });
});

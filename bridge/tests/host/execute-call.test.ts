/** How a call goes and ends; its output, its policies and its final content have files of their own. */
import { describe, expect, test } from 'vitest';
import type { ToolExecution } from '../../src/host-services.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import { call, codeOf } from './sample-calls.ts';
import { isDeepFrozen, textValue, tool } from './sample-tools.ts';

describe('a call', () => {
  test('gives the canonical value, detached and frozen, and its content', async () => {
    const registry = new LocalToolRegistry();
    const original = { ...textValue('hi'), extra: JSON.parse('{"__proto__": {"a": 1}}') as unknown };
    registry.register(tool('a', async () => original));
    const result = await registry.execute(call('a'));
    expect(result).toEqual({ isError: false, value: original, content: [{ type: 'text', text: JSON.stringify(original) }] });
    if (result.isError) throw new Error('unreachable');
    expect(result.value).not.toBe(original);
    expect(isDeepFrozen(result.value)).toBe(true);
  });

  test('shows the body a deep-frozen copy of the arguments', async () => {
    const registry = new LocalToolRegistry();
    const given = { list: [{ n: 1 }] };
    let seen: unknown;
    registry.register(
      tool('a', async (args) => {
        seen = args;
        return textValue('x');
      }),
    );
    await registry.execute(call('a', { arguments: given }));
    expect(seen).toEqual(given);
    expect(seen).not.toBe(given);
    expect(isDeepFrozen(seen)).toBe(true);
    expect(Object.isFrozen(given)).toBe(false);
  });

  test.each([undefined, { a: undefined }, { a: 1n }, [Number.NaN], { when: new Date(0) }, () => 1])(
    'refuses arguments that are no JSON: %o',
    async (args) => {
      const registry = new LocalToolRegistry();
      let ran = false;
      const finalized: unknown[] = [];
      registry.register(tool('a', async () => (ran = true), { finalizeContent: (exec) => void finalized.push(exec) }));
      const given = call('a', { arguments: args });
      const result = await registry.execute(given);
      expect(result).toMatchObject({ error: { info: { name: 'ToolArgumentsError', code: 'INVALID_TOOL_ARGUMENTS' } } });
      expect(ran).toBe(false);
      expect(finalized).toStrictEqual([{ ...given, arguments: undefined }]);
    },
  );

  test('of an unknown tool is an outcome, not a rejection', async () => {
    const result = await new LocalToolRegistry().execute(call('nobody'));
    expect(result).toMatchObject({ isError: true, error: { info: { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' } } });
    expect(result.content).toEqual([{ type: 'text', text: 'Error: no tool named "nobody" is registered' }]);
  });

  test('that throws keeps message and code of the error, and the error itself for programs', async () => {
    const registry = new LocalToolRegistry();
    const thrown = Object.assign(new Error('line one\nline two'), { name: 'OddError', code: 'tool-error' });
    registry.register(tool('a', () => Promise.reject(thrown)));
    const result = await registry.execute(call('a'));
    expect(result).toEqual({
      isError: true,
      error: { message: 'line one\nline two', info: { name: 'OddError', code: 'tool-error' } },
      content: [{ type: 'text', text: 'Error: line one\nline two' }],
    });
    expect(result.isError && result.error.cause).toBe(thrown);
    expect(JSON.stringify(result)).not.toContain('cause');
  });

  test.each([
    ['a string', 'text', { message: 'text' }],
    ['nothing', undefined, { message: 'undefined' }],
    ['null', null, { message: 'null' }],
    ['a code that is no text', Object.assign(new Error('odd'), { code: 7 }), { message: 'odd' }],
    ['an error without a message', new RangeError(''), { message: 'RangeError' }],
    ['an object with a code', { code: 'E1', toString: () => 'odd' }, { message: 'odd', info: { name: 'Error', code: 'E1' } }],
    ['an object whose code throws', { get code() { throw new Error('getter'); } }, { message: 'something that has no text was thrown' }],
    ['an object without text', Object.create(null), { message: 'something that has no text was thrown' }],
  ])('that throws %s is an outcome', async (_what, thrown, error) => {
    const registry = new LocalToolRegistry();
    registry.register(
      tool('a', () => {
        throw thrown;
      }),
    );
    expect(await registry.execute(call('a'))).toStrictEqual({ isError: true, error, content: [{ type: 'text', text: `Error: ${error.message}` }] });
  });

  test('whose arguments throw as they are read is an outcome, whatever they throw', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const args = {
      get broken(): never {
        throw 'just text';
      },
    };
    const result = await registry.execute(call('a', { arguments: args }));
    expect(result).toMatchObject({ error: { message: 'the arguments for "a" cannot be used: just text', info: { code: 'INVALID_TOOL_ARGUMENTS' } } });
  });
});

describe('cancellation', () => {
  test('is left out by a caller who gives no signal', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async (_args, { signal }) => textValue(String(signal.aborted))));
    expect(await registry.execute({ callId: 'c1', name: 'a', arguments: {} })).toMatchObject({ isError: false, value: textValue('false') });
  });

  test('before the body runs says that nothing was executed', async () => {
    const registry = new LocalToolRegistry();
    let ran = false;
    registry.register(tool('a', async () => (ran = true)));
    let asked = 0;
    const remove = registry.use({ preExecute: () => void (asked += 1) });
    expect(await registry.execute(call('a', { signal: AbortSignal.abort() }))).toMatchObject({
      error: { message: 'the call was aborted by its caller before the tool ran', info: { name: 'AbortError', code: 'ABORTED_BEFORE_DISPATCH' } },
    });
    expect(asked).toBe(0);
    remove();
    const controller = new AbortController();
    registry.use({ preExecute: abortBy(controller) });
    expect(codeOf(await registry.execute(call('a', { signal: controller.signal })))).toBe('ABORTED_BEFORE_DISPATCH');
    expect(ran).toBe(false);
  });

  test('while the body runs replaces its success, but not its own error', async () => {
    const registry = new LocalToolRegistry();
    const controller = new AbortController();
    registry.register(
      tool('ok', async () => {
        controller.abort();
        return textValue('x');
      }),
    );
    registry.register(tool('fails', () => Promise.reject(Object.assign(new Error('own'), { code: 'call-aborted' }))));
    expect(await registry.execute(call('ok', { signal: controller.signal }))).toMatchObject({
      error: { message: 'the call was aborted by its caller', info: { name: 'AbortError', code: 'ABORTED' } },
    });
    const later = new AbortController();
    registry.use({ postExecute: abortBy(later) });
    expect(codeOf(await registry.execute(call('fails', { signal: later.signal })))).toBe('call-aborted');
  });

  test('in a policy after the body replaces a success', async () => {
    const registry = new LocalToolRegistry();
    const controller = new AbortController();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: abortBy(controller) });
    expect(codeOf(await registry.execute(call('a', { signal: controller.signal })))).toBe('ABORTED');
  });
});

test('an execution carries what its caller said of itself', async () => {
  const registry = new LocalToolRegistry();
  const seen: ToolExecution[] = [];
  registry.register(
    tool('a', async (_args, exec) => {
      seen.push(exec);
      return textValue('x');
    }),
  );
  const agent = { options: { provider: 'p', model: 'm' } };
  const { signal } = new AbortController();
  await registry.execute(call('a', { callId: 'c9', agent, parent: 'outer', signal }));
  expect(seen[0]).toMatchObject({ callId: 'c9', name: 'a', parent: 'outer' });
  expect(seen[0]?.agent).toBe(agent);
  expect(seen[0]?.signal).toBe(signal);
  await registry.execute({ callId: 'c10', name: 'a', arguments: {}, signal });
  expect(seen[1]).toStrictEqual({ callId: 'c10', name: 'a', arguments: {}, signal });
});

/** A policy's stage that aborts the call it is asked about, and has nothing to say to it. */
function abortBy(controller: AbortController): () => undefined {
  return () => {
    controller.abort();
    return undefined;
  };
}

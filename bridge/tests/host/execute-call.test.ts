import { describe, expect, test } from 'vitest';
import type { ContentBlock, ToolExecution, ToolExecutionResult } from '../../src/host-services.ts';
import type { ToolCall } from '../../src/host/execute-call.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import { gate, isDeepFrozen, labelled, outputOf, textValue, tool } from './sample-tools.ts';

function call(name: string, more: Partial<ToolCall> = {}): ToolCall {
  return { callId: 'c1', name, arguments: {}, signal: new AbortController().signal, ...more };
}

const showNothing = (): ContentBlock[] => [];

function codeOf(result: ToolExecutionResult): string | undefined {
  return result.isError ? result.error.info?.code : 'OK';
}

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
      let finalized = 0;
      registry.register(
        tool('a', async () => (ran = true), {
          finalizeContent: () => {
            finalized += 1;
            return undefined;
          },
        }),
      );
      const result = await registry.execute(call('a', { arguments: args }));
      expect([codeOf(result), ran, finalized]).toEqual(['INVALID_TOOL_ARGUMENTS', false, 1]);
    },
  );

  test('of an unknown tool is an outcome, not a rejection', async () => {
    const result = await new LocalToolRegistry().execute(call('nobody'));
    expect(codeOf(result)).toBe('UNKNOWN_TOOL');
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
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error });
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

  test('whose value contradicts its schema says where, in the dialect of the schema', async () => {
    const registry = new LocalToolRegistry();
    const items = [{ type: 'string' }];
    registry.register(tool('new', async () => [5], { output: { schema: { prefixItems: items }, render: showNothing } }));
    registry.register(tool('old', async () => [5], { output: { schema: { $schema: 'http://json-schema.org/draft-07/schema#', items }, render: showNothing } }));
    registry.register(tool('whole', async () => 5, { output: { schema: { type: 'object' }, render: showNothing } }));
    const messages = await Promise.all(['new', 'old', 'whole'].map(async (name) => (await registry.execute(call(name))).content));
    expect(messages.flat().map((block) => block.type === 'text' && block.text)).toEqual([
      'Error: the tool "new" returned invalid output: /0 must be string',
      'Error: the tool "old" returned invalid output: /0 must be string',
      'Error: the tool "whole" returned invalid output: the value must be object',
    ]);
  });

  test('whose schema cannot be compiled is an outcome that says so', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => 5, { output: { schema: { type: 'nonsense' }, render: () => [] } }));
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message: expect.stringContaining('returned invalid output: schema is invalid') as unknown } });
  });

  test.each([
    ['no JSON', { content: [undefined] }],
    ['against its schema', { structuredContent: {} }],
    ['endless', endless()],
  ])('whose value is %s fails', async (_what, value) => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => value));
    expect(codeOf(await registry.execute(call('a')))).toBe('INVALID_TOOL_OUTPUT');
  });

  test('is not checked against the schema where that is switched off', async () => {
    const registry = new LocalToolRegistry({ validateOutput: false });
    registry.register(tool('a', async () => 'anything'));
    expect(codeOf(await registry.execute(call('a')))).toBe('OK');
  });

  test('two schemas with one $id do not share a validator', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('s', async () => 'text', { output: outputOf('string') }));
    registry.register(tool('n', async () => 1, { output: outputOf('number') }));
    expect([codeOf(await registry.execute(call('s'))), codeOf(await registry.execute(call('n')))]).toEqual(['OK', 'OK']);
  });

  test('by a program gets the same value as one by the model', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const model = await registry.execute(call('a'));
    const program = await registry.execute(call('a', { parent: Symbol('outer') }));
    expect(program).toEqual(model);
  });
});

describe('cancellation', () => {
  test('before the body runs says that nothing was executed', async () => {
    const registry = new LocalToolRegistry();
    let ran = false;
    registry.register(tool('a', async () => (ran = true)));
    expect(codeOf(await registry.execute(call('a', { signal: AbortSignal.abort() })))).toBe('ABORTED_BEFORE_DISPATCH');
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
    expect(codeOf(await registry.execute(call('ok', { signal: controller.signal })))).toBe('ABORTED');
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

describe('a policy', () => {
  test('denies before the body; the first denial decides', async () => {
    const registry = new LocalToolRegistry();
    let ran = false;
    registry.register(tool('a', async () => (ran = true)));
    registry.use({ preExecute: async () => ({ kind: 'allow' }) });
    registry.use({ preExecute: () => ({ kind: 'deny', reason: 'not today' }) });
    registry.use({ preExecute: () => ({ kind: 'deny', reason: 'never' }) });
    const result = await registry.execute(call('a'));
    expect([codeOf(result), ran]).toEqual(['DENIED', false]);
    expect(result.content).toEqual([{ type: 'text', text: 'Error: not today' }]);
  });

  test('that would ask is a denial, since nobody can be asked', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ preExecute: () => ({ kind: 'ask' }) });
    expect(codeOf(await registry.execute(call('a')))).toBe('DENIED');
  });

  test('replaces content and leaves the value alone', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => ({ kind: 'accept', content: [{ type: 'text', text: 'new' }] }) });
    expect(await registry.execute(call('a'))).toEqual({ isError: false, value: textValue('x'), content: [{ type: 'text', text: 'new' }] });
  });

  test('replaces the value, which is checked and rendered anew', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const remove = registry.use({ postExecute: () => ({ kind: 'accept', value: textValue('y') }) });
    expect(await registry.execute(call('a'))).toEqual({
      isError: false,
      value: textValue('y'),
      content: [{ type: 'text', text: JSON.stringify(textValue('y')) }],
    });
    remove();
    registry.use({ postExecute: () => ({ kind: 'accept', value: 'no object' }) });
    expect(codeOf(await registry.execute(call('a')))).toBe('INVALID_TOOL_OUTPUT');
  });

  test('that replaces both value and content fails the call: nobody could tell which of them it meant', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => JSON.parse('{"kind":"accept","value":{"content":[]},"content":[]}') });
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message: 'a policy replaced both value and content; return one of them' } });
  });

  test('cannot put a value in place of a failure', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('fails', () => Promise.reject(new Error('own'))));
    registry.use({ postExecute: () => ({ kind: 'accept', value: textValue('y') }) });
    for (const name of ['fails', 'nobody']) {
      expect(await registry.execute(call(name))).toMatchObject({ isError: true, error: { message: 'a policy replaced the value of a failed call; block it or accept it' } });
    }
  });

  test('that gives content that is no JSON fails the call and says whose content it was', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => ({ kind: 'accept', content: [Object.assign({ type: 'text', text: 'x' } as const, { extra: 1n })] }) });
    const result = await registry.execute(call('a'));
    expect(codeOf(result)).toBe('INVALID_TOOL_CONTENT');
    expect(result).toMatchObject({ error: { message: expect.stringMatching(/^the content that a policy gave for "a" is no JSON: the value at \/0\/extra is a bigint/) as unknown } });
  });

  test('removes itself once, and nobody else', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const remove = registry.use({});
    registry.use({ preExecute: () => ({ kind: 'deny', reason: 'no' }) });
    remove();
    remove();
    expect(codeOf(await registry.execute(call('a')))).toBe('DENIED');
  });

  test('that blocks with an image says so with the text alone', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const feedback: ContentBlock[] = [{ type: 'text', text: 'see' }, { type: 'image', attachment: { sha256: 'x' } }, { type: 'text', text: 'there' }];
    registry.use({ postExecute: () => ({ kind: 'block', feedback }) });
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message: 'see\nthere' }, content: feedback });
  });

  test('blocks with feedback; the next policy sees the block', async () => {
    const registry = new LocalToolRegistry();
    const seen: boolean[] = [];
    registry.register(tool('a', async () => textValue('x')));
    registry.use({ postExecute: () => ({ kind: 'block', feedback: [{ type: 'text', text: 'try b' }] }) });
    registry.use({ postExecute: (_exec, result) => void seen.push(result.isError) });
    const result = await registry.execute(call('a'));
    expect(result).toMatchObject({ isError: true, error: { message: 'try b' }, content: [{ type: 'text', text: 'try b' }] });
    expect([codeOf(result), seen]).toEqual(['BLOCKED', [true]]);
  });

  test.each(['preExecute', 'postExecute'] as const)('that throws in %s fails the call and nothing else', async (stage) => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x')));
    const remove = registry.use({ [stage]: () => Promise.reject(Object.assign(new Error('policy'), { code: 'P' })) });
    expect(codeOf(await registry.execute(call('a')))).toBe('P');
    remove();
    expect(codeOf(await registry.execute(call('a')))).toBe('OK');
  });

  test('sees one execution object in all stages, the one the tool sees', async () => {
    const registry = new LocalToolRegistry();
    const seen = new Set<unknown>();
    registry.register(
      tool(
        'a',
        async (_args, exec) => {
          seen.add(exec);
          return textValue('x');
        },
        { finalizeContent: (exec) => void seen.add(exec) },
      ),
    );
    registry.use({ preExecute: (exec) => void seen.add(exec), postExecute: (exec) => void seen.add(exec) });
    await registry.execute(call('a'));
    expect(seen.size).toBe(1);
  });
});

describe('final content', () => {
  const outcomes: [string, Partial<ToolCall>, (registry: LocalToolRegistry) => void][] = [
    ['a success', {}, () => undefined],
    ['a denial', {}, (registry) => void registry.use({ preExecute: () => ({ kind: 'deny', reason: 'no' }) })],
    ['a block', {}, (registry) => void registry.use({ postExecute: () => ({ kind: 'block', feedback: [] }) })],
    ['a policy that throws', {}, (registry) => void registry.use({ preExecute: () => Promise.reject(new Error('p')) })],
    ['an abort', { signal: AbortSignal.abort() }, () => undefined],
  ];

  test.each(outcomes)('is asked for exactly once after %s', async (_what, more, arrange) => {
    const registry = new LocalToolRegistry();
    const seen: Readonly<ToolExecutionResult>[] = [];
    registry.register(
      tool('a', async () => textValue('x'), {
        finalizeContent: (_exec, result) => {
          seen.push(result);
          return [{ type: 'text', text: 'final' }];
        },
      }),
    );
    arrange(registry);
    const result = await registry.execute(call('a', more));
    expect(seen.length).toBe(1);
    expect(result.content).toEqual([{ type: 'text', text: 'final' }]);
    expect(result.isError).toBe(seen[0]?.isError);
  });

  test('sees the very value that was rendered', async () => {
    const registry = new LocalToolRegistry();
    const values: unknown[] = [];
    registry.register(
      tool('a', async () => textValue('x'), {
        output: {
          schema: {},
          render: (_args, value) => {
            values.push(value);
            return [];
          },
        },
        finalizeContent: (_exec, result) => void values.push(!result.isError && result.value),
      }),
    );
    await registry.execute(call('a'));
    expect(values[0]).toBe(values[1]);
  });

  test('comes from the definition that was there when the call began, the body from the one there when policy is done', async () => {
    const registry = new LocalToolRegistry();
    const paused = gate();
    const resume = gate();
    const dispose = registry.register(labelled('a', 'old'));
    registry.use({
      preExecute: async () => {
        paused.open();
        await resume.opened;
        return undefined;
      },
    });
    const outcome = registry.execute(call('a'));
    await paused.opened;
    dispose();
    registry.register(labelled('a', 'new'));
    resume.open();
    expect(await outcome).toEqual({ isError: false, value: textValue('new'), content: [{ type: 'text', text: 'final old' }] });
  });

  test.each([
    ['throws', () => { throw new Error('final'); }],
    ['gives no list', () => JSON.parse('"text"')],
    ['gives a block without a type', () => JSON.parse('[{}]')],
  ])('that %s is an outcome', async (_what, finalizeContent) => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x'), { finalizeContent }));
    expect((await registry.execute(call('a'))).isError).toBe(true);
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
});

function abortBy(controller: AbortController): () => undefined {
  return () => {
    controller.abort();
    return undefined;
  };
}

function endless(): unknown {
  const value: { content: unknown[] } = { content: [] };
  value.content.push(value);
  return value;
}

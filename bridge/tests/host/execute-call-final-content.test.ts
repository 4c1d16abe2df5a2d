/** The last word of a definition about what the model is shown. */
import { describe, expect, test } from 'vitest';
import type { ToolExecutionResult } from '../../src/host-services.ts';
import type { ToolCall } from '../../src/host/execute-call.ts';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import { call } from './sample-calls.ts';
import { heldStage } from './sample-policies.ts';
import { labelled, textValue, tool } from './sample-tools.ts';

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
    const policy = heldStage(undefined);
    const dispose = registry.register(labelled('a', 'old'));
    registry.use({ preExecute: policy.stage });
    const outcome = registry.execute(call('a'));
    await policy.reached;
    dispose();
    registry.register(labelled('a', 'new'));
    policy.release();
    expect(await outcome).toEqual({ isError: false, value: textValue('new'), content: [{ type: 'text', text: 'final old' }] });
  });

  test('that throws is an outcome', async () => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x'), { finalizeContent: () => { throw new Error('final'); } }));
    expect(await registry.execute(call('a'))).toMatchObject({ isError: true, error: { message: 'final' } });
  });

  test.each([
    ['"text"', 'is no list of blocks'],
    ['{"0": 1, "length": 1}', 'is no list of blocks'],
    ...['{}', 'null', '"text"', '7', '[]', '{"type": 7}'].map((block) => [`[${block}]`, 'has a block without a type']),
  ])('that is %s is an outcome that says whose content %s', async (content, what) => {
    const registry = new LocalToolRegistry();
    registry.register(tool('a', async () => textValue('x'), { finalizeContent: () => JSON.parse(content) }));
    expect(await registry.execute(call('a'))).toMatchObject({
      isError: true,
      error: { message: `the content that finalizeContent gave for "a" ${what}`, info: { name: 'TypeError', code: 'INVALID_TOOL_CONTENT' } },
    });
  });

  test('is held to the bounds of the registry, also where it is the registry\'s own', async () => {
    const registry = new LocalToolRegistry({ maxValues: 3 });
    expect(await registry.execute(call('nobody'))).toMatchObject({
      error: { message: expect.stringMatching(/^the content that the registry gave for "nobody" is no JSON: the value at \/0\/text is beyond/) as unknown },
    });
  });
});

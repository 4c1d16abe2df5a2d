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

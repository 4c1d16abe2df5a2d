import { describe, expect, it } from 'vitest';
import type { ContentBlock, JsonValue, ToolExecution, ToolExecutionResult } from '../src/host-services.ts';
import { ProjectionStaging, type StagedProjection } from '../src/image-staging.ts';
import { equalJson } from '../src/json-shape.ts';

const exec = (): ToolExecution => ({ callId: 'same', name: 't', arguments: {}, signal: new AbortController().signal });
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const PROJECTION: StagedProjection = {
  value: { content: [{ type: 'image', data: 'x' }], structuredContent: { a: 1, b: [null] } },
  fallback: [text('left out')],
  content: [text('before'), { type: 'image', attachment: { sha256: 'a' } }],
};

/** What a host hands to `finalizeContent`: copies, as the DeepSeek Harness makes them. */
function hosted(change: { readonly value?: JsonValue; readonly content?: ContentBlock[] } = {}): ToolExecutionResult {
  return structuredClone({ isError: false, value: PROJECTION.value, content: [...PROJECTION.fallback], ...change });
}

function staged(): { readonly staging: ProjectionStaging; readonly own: ToolExecution } {
  const staging = new ProjectionStaging();
  const own = exec();
  staging.stage(own, PROJECTION);
  return { staging, own };
}

describe('ProjectionStaging', () => {
  it('gives a projection to its execution, once (S47)', () => {
    const { staging, own } = staged();
    expect(staging.take(own, hosted())).toEqual(PROJECTION.content);
    expect(staging.take(own, hosted())).toBeUndefined();
  });

  it('gives it to no other execution, though that has the same call id (S47)', () => {
    const { staging, own } = staged();
    expect(staging.take(exec(), hosted())).toBeUndefined();
    expect(staging.take({ ...own }, hosted())).toBeUndefined();
    expect(staging.take(own, hosted())).toEqual(PROJECTION.content);
  });

  it('gives nothing to another generation (S48)', () => {
    const { own } = staged();
    expect(new ProjectionStaging().take(own, hosted())).toBeUndefined();
  });

  it.each<[string, ToolExecutionResult]>([
    ['replaced the content', hosted({ content: [text('other')] })],
    ['added a block', hosted({ content: [...PROJECTION.fallback, text('more')] })],
    ['replaced the value', hosted({ value: { content: [] } })],
    ['added to the value', hosted({ value: { ...PROJECTION.value, more: 1 } })],
    ['blocked the result', { isError: true, error: { message: 'no' }, content: [text('left out')] }],
  ])('gives way to a policy that %s, for good (S47)', (_what, result) => {
    const { staging, own } = staged();
    expect(staging.take(own, result)).toBeUndefined();
    expect(staging.take(own, hosted())).toBeUndefined();
  });
});

describe('equalJson', () => {
  it.each<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, 2, false],
    ['a', 'a', true],
    [null, null, true],
    [null, {}, false],
    [{}, null, false],
    [[], {}, false],
    [[1, [2]], [1, [2]], true],
    [[1], [1, 2], false],
    [{ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}'), true],
    [JSON.parse('{"__proto__":1}'), {}, false],
    [Object.freeze({ a: 1 }), Object.setPrototypeOf({ a: 1 }, null), true],
  ])('%j and %j: %s', (left, right, equal) => {
    expect(equalJson(left, right)).toBe(equal);
  });

  it('compares values of any depth', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(equalJson(JSON.parse(deep), JSON.parse(deep))).toBe(true);
  });
});

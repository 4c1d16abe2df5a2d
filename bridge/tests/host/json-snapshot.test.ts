/** A copy is bounded in depth and in number, and says where it stopped. */
import { describe, expect, test } from 'vitest';
import { LocalToolRegistry } from '../../src/host/tool-registry.ts';
import { JsonSnapshotError, snapshotJson } from '../../src/host/json-snapshot.ts';
import { call, codeOf } from './sample-calls.ts';
import { tool } from './sample-tools.ts';

function messageOf(value: unknown, limits?: Parameters<typeof snapshotJson>[1]): string {
  try {
    snapshotJson(value, limits);
  } catch (error) {
    expect(error).toBeInstanceOf(JsonSnapshotError);
    expect(error).toMatchObject({ name: 'JsonSnapshotError', code: 'NOT_JSON' });
    return error instanceof Error ? error.message : '';
  }
  return 'copied';
}

/** What is no JSON, below so many objects with one key. */
function nested(key: string, levels: number): unknown {
  let value: unknown;
  for (let level = 0; level < levels; level += 1) value = { [key]: value };
  return value;
}

describe('snapshotJson', () => {
  test('names the place of what is no JSON, keys and indexes alike', () => {
    expect(messageOf({ a: [1, { 'b c': [0, undefined] }] })).toBe('the value at /a/1/b c/1 is undefined, which JSON cannot carry without loss');
    expect(messageOf(undefined)).toBe('the value is undefined, which JSON cannot carry without loss');
    expect(messageOf({ good: [[], {}], bad: [Number.NaN] })).toContain('at /bad/0 is NaN');
    expect(messageOf({ a: 1n })).toContain('at /a is a bigint');
    expect(messageOf([new Date()])).toContain('at /0 is an instance of a class');
  });

  test('writes a place that a message can bear, however long its keys are and however deep it is', () => {
    expect(messageOf({ ['k'.repeat(1_000_000)]: undefined }).length).toBeLessThan(300);
    expect(messageOf(nested('a', 100_000))).toMatch(/^the value at (\/a){100} is nested too deep/);
    expect(messageOf(nested('', 1_000))).toMatch(/^the value at \/{100} is undefined/);
    expect(messageOf(nested('k'.repeat(100), 50)).length).toBeLessThan(300);
    // Together they would be longer than any string.
    expect(messageOf(nested('k'.repeat(6_000_000), 100)).length).toBeLessThan(300);
  });

  test('copies every kind of JSON value, and objects without a prototype', () => {
    const value = { yes: true, no: false, nothing: null, text: '', number: -0.5, bare: Object.assign(Object.create(null), { list: [] }) as unknown };
    expect(snapshotJson(value)).toEqual({ ...value, bare: { list: [] } });
  });

  test('takes exactly as many values and levels as are allowed', () => {
    const value = { a: [1, 2], b: { c: null } };
    expect(snapshotJson(value, { maxValues: 6, maxDepth: 2 })).toEqual(value);
    expect(messageOf(value, { maxValues: 5 })).toContain('at /b/c is beyond the number of values that may be held');
    expect(messageOf(value, { maxDepth: 1 })).toContain('at /a is nested too deep');
    expect(messageOf(Array.from({ length: 1_000_000 }, () => 0))).toContain('at /999999 is beyond the number');
  });

  test('counts depth by level, not by container', () => {
    expect(messageOf(Array.from({ length: 50 }, () => [[]]), { maxDepth: 3 })).toBe('copied');
  });
});

test('a call whose value holds more than the registry allows is an outcome that says so', async () => {
  const registry = new LocalToolRegistry({ maxValues: 100, validateOutput: false });
  registry.register(tool('a', async () => Array.from({ length: 100 }, () => 0)));
  const outcome = await registry.execute(call('a'));
  expect(codeOf(outcome)).toBe('INVALID_TOOL_OUTPUT');
  expect(JSON.stringify(outcome.content)).toContain('beyond the number of values that may be held');
});

import { describe, expect, it } from 'vitest';
import { approximateJsonBytes, equalJson, jsonDepth, sameJson } from '../src/json-shape.ts';

/** Lists in lists, deeper than `JSON.stringify` can follow. */
function deepList(depth = 100_000): unknown {
  let list: unknown = [];
  for (let level = 0; level < depth; level += 1) list = [list];
  return list;
}

describe('sameJson', () => {
  it.each([
    [{ a: 1, b: [2] }, { a: 1, b: [2] }, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, false],
    [1, '1', false],
    ['a', 'a', true],
    [null, {}, false],
  ])('compares %j and %j as JSON text, key order included: %s', (left, right, same) => {
    expect(sameJson(left, right)).toBe(same);
  });

  it('compares at any depth, key order included, and never throws (B01, S27)', () => {
    expect(sameJson(deepList(), deepList())).toBe(true);
    expect(sameJson(deepList(), deepList(100_001))).toBe(false);
    expect(sameJson({ a: deepList(), b: 1 }, { a: deepList(), b: 1 })).toBe(true);
    expect(sameJson({ a: deepList(), b: 1 }, { b: 1, a: deepList() })).toBe(false);
    expect(sameJson({ a: deepList(), b: 1 }, { a: deepList(), c: 1 })).toBe(false);
    expect(sameJson({ x: 1, a: deepList(), b: 1 }, { x: 1, b: 1, a: deepList() })).toBe(false);
  });
});

describe('equalJson', () => {
  it.each([
    [{ a: 1, b: [2, { c: null }] }, { b: [2, { c: null }], a: 1 }, true],
    [[1, 2], [1], false],
    [[1], [2], false],
    [[], {}, false],
    [[], { length: 0 }, false],
    [{ length: 0 }, [], false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
  ])('compares %j and %j by what they hold: %s', (left, right, equal) => {
    expect(equalJson(left, right)).toBe(equal);
  });

  it('works on any depth', () => {
    expect(equalJson(deepList(), deepList())).toBe(true);
    expect(equalJson(deepList(), deepList(100_001))).toBe(false);
  });
});

describe('approximateJsonBytes', () => {
  it.each<readonly [string, unknown]>([
    ['text', { name: 'x'.repeat(1_000), list: [1, true, null, { 'ä key': 'é' }] }],
    ['long keys', { ['k'.repeat(1_000)]: 1, ['l'.repeat(1_000)]: [] }],
    ['short keys', Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [index.toString(36), index]))],
  ])('estimates the size of JSON that is mostly %s, within a factor of three', (_what, value) => {
    const real = JSON.stringify(value).length;
    expect(approximateJsonBytes(value)).toBeGreaterThan(real / 3);
    expect(approximateJsonBytes(value)).toBeLessThan(real * 3);
  });

  it('works on any depth', () => {
    expect(approximateJsonBytes(deepList())).toBeGreaterThan(100_000);
  });
});

it.each([
  ['text', 0],
  [null, 0],
  [{}, 1],
  [[[], { a: [1] }], 3],
  [JSON.parse('{"__proto__":{"constructor":[]}}'), 3],
  [deepList(), 100_001],
])('counts the levels of a value, on any depth', (value, depth) => {
  expect(jsonDepth(value)).toBe(depth);
});

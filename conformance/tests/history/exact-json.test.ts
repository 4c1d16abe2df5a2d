import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact, stringifyExact } from '../../src/history/exact-json.ts';

const there = (value: unknown): unknown => parseExact(stringifyExact(value));

describe('exact JSON', () => {
  it('gives back any JSON value, and is plain JSON for it', () => {
    assert(property(jsonValue(), (value) => {
      expect(there(value)).toEqual(value);
    }), { numRuns: 200, examples: [[{ a: [1, null, '\ud800'] }]] });
    expect(stringifyExact({ a: [1, 'x'] })).toBe('{"a":[1,"x"]}');
  });

  it.each([[12n], [-0], [Number.POSITIVE_INFINITY], [Number.NaN]])('gives back %s, which JSON does not know', (value) => {
    expect(there({ in: [value] })).toEqual({ in: [value] });
    expect(there(value)).toBe(value);
  });

  it('gives back what is undefined in a list, and leaves out a member that is', () => {
    const read: unknown = there({ list: [1, undefined, 2], gone: undefined });
    expect(read).toEqual({ list: [1, undefined, 2] });
    expect(read).not.toHaveProperty('gone');
  });

  it('gives back an object that looks like one of its own marks, as a hostile server may send it', () => {
    const hostile = { $exact: ['bigint', '12'], other: { $exact: 1 } };
    expect(there(hostile)).toEqual(hostile);
  });

  it('gives back a member named __proto__ as a member', () => {
    const read: unknown = there(JSON.parse('{"__proto__":{"polluted":true},"n":{"$exact":1}}'));
    expect(Object.keys(Object(read))).toEqual(['__proto__', 'n']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('refuses a mark that it does not know', () => {
    expect(() => parseExact('{"$exact":["date","x"]}')).toThrow(/unknown kind.*date/);
  });
});

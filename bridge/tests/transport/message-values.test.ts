import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { holdsMoreValues } from '../../src/transport/message-values.ts';

/** Commas and opening brackets outside texts, and one. */
function countOf(value: unknown): number {
  return 1 + (JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, '').match(/[,[{]/g)?.length ?? 0);
}

/** Values in all, keys apart. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 1);
}

describe('holdsMoreValues', () => {
  it('is exact to one, whatever the texts hold, and counts no value short', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', 'a') }), (value, text) => {
        const whole = [text, value, { [text]: value }, text];
        const count = countOf(whole);
        expect(count).toBeGreaterThanOrEqual(valuesIn(whole));
        expect(holdsMoreValues(JSON.stringify(whole), count)).toBe(false);
        // One fewer is told apart where the text is long enough to be looked at.
        if (JSON.stringify(whole).length > 2 * (count - 1)) expect(holdsMoreValues(JSON.stringify(whole), count - 1)).toBe(true);
      }),
    );
  });

  it.each([
    ['numbers', `[${'0,'.repeat(1_000)}0]`, 1_002],
    ['lists in lists', '['.repeat(1_000) + ']'.repeat(1_000), 1_001],
    ['empty objects, which count twice', `[${'{},'.repeat(999)}{}]`, 2_001],
    ['texts', JSON.stringify(Array.from({ length: 1_000 }, () => ',[{"')), 1_001],
  ])('draws the line at the number of %s', (_what, text, count) => {
    expect([holdsMoreValues(text, count), holdsMoreValues(text, count - 1)]).toEqual([false, text.length > 2 * (count - 1)]);
    expect(holdsMoreValues(text, Math.floor(count / 2))).toBe(true);
  });

  it.each([
    ['a text without an end', `"${'a'.repeat(1_000)}`, false],
    ['an escape at the end', `"${'a'.repeat(1_000)}\\"`, false],
    ['nothing but texts', '""'.repeat(1_000), true],
    ['no more texts than keys and values could be', '""'.repeat(200), false],
    ['nothing but brackets', '['.repeat(1_000), true],
  ])('takes %s for what it is', (_what, text, more) => {
    expect(holdsMoreValues(text, 100)).toBe(more);
  });

  it('looks at no character of a payload, and once at those of a text with escapes (B01)', () => {
    const looks = vi.spyOn(String.prototype, 'charCodeAt');
    const counts = ['QUJD', '\\"\\"'].map((four) => {
      looks.mockClear();
      holdsMoreValues(`{"data":"${four.repeat(2_500)}"}`, 10);
      return looks.mock.calls.length;
    });
    looks.mockRestore();
    expect(counts[0]).toBeLessThan(100);
    expect(counts[1]).toBeLessThan(12_000);
  });
});

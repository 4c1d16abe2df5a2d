import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANCHOR_CHARS, findNeedles, prepareNeedles, type Needles } from '../src/payload-search.ts';

/** Few letters, so that texts and needles meet. */
const near = (minLength: number, maxLength: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });

describe('findNeedles', () => {
  it('finds what a plain search finds', () => {
    const anchored = near(1, 6).map((end) => `${'ab'.repeat(16)}${end}`);
    fc.assert(
      fc.property(fc.array(anchored, { maxLength: 4 }), fc.array(fc.oneof(anchored, near(0, 40)), { maxLength: 6 }), (needles, parts) => {
        const text = parts.join('');
        const wanted = [...new Set(needles)].flatMap((needle) => placesOf(text, needle));
        const found = findNeedles(text, prepareNeedles(needles)) ?? [];
        expect(new Set(found.map(String))).toEqual(new Set(wanted));
        expect(found.map(([from]) => from)).toEqual(found.map(([from]) => from).toSorted((left, right) => left - right));
      }),
      { numRuns: 300 },
    );
  });

  it('passes over needles and texts that are shorter than an anchor', () => {
    const short = 'x'.repeat(ANCHOR_CHARS - 1);
    expect(findNeedles(`${short}${short}`, prepareNeedles([short]))).toEqual([]);
    expect(findNeedles(short, prepareNeedles([`${short}x`]))).toEqual([]);
    expect(findNeedles(`${short}x`, prepareNeedles([`${short}x`]))).toEqual([[0, ANCHOR_CHARS]]);
  });

  it('does not find a short needle, whatever its hash', () => {
    // Their hash is nothing, as that of an anchor that is not there in full.
    expect(findNeedles('\0'.repeat(64), prepareNeedles(['\0'.repeat(ANCHOR_CHARS - 1)]))).toEqual([]);
  });

  it('finds one needle after another in a text of any length, and does not take that for too much work (B19)', () => {
    const needle = 'ab'.repeat(50);
    expect(findNeedles(needle.repeat(12_000), prepareNeedles([needle]))).toHaveLength(12_000);
  });

  it('takes what is longer than the rest of a text for no work', () => {
    const needle = 'a'.repeat(4_000);
    expect(findNeedles('a'.repeat(7_000), prepareNeedles([needle]))).toEqual([[0, 4_000]]);
  });

  it.each<readonly [string, string, readonly string[]]>([
    ['one needle that nearly fits everywhere', 'a'.repeat(20_000), [`${'a'.repeat(100)}b`]],
    ['many needles that begin alike, though none fits', 'a'.repeat(1_500), Array.from({ length: 2_000 }, (_, n) => `${'a'.repeat(1_500)}${n}`)],
  ])('gives up on %s (B01, B19)', (_what, text, needles) => {
    expect(findNeedles(text, prepareNeedles(needles))).toBeUndefined();
  });

  it('is not misled by hashes that are alike, in whole or in part', () => {
    const needle = 'needle'.repeat(10);
    const { byHash } = prepareNeedles([needle]);
    const alike: Needles = { byHash, filter: new Uint8Array(0x1_00_00).fill(1) };
    expect(findNeedles(`${'words '.repeat(10)}${needle}`, alike)).toEqual([[60, 120]]);
  });
});

/** The places of a needle that do not overlap, as texts to compare. */
function placesOf(text: string, needle: string): readonly string[] {
  const places: string[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) places.push(String([at, at + needle.length]));
  return places;
}

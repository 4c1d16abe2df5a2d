import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../src/host-services.ts';
import { boundText, cutText, shortFact } from '../src/model-text.ts';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });

const image = (id: string): ContentBlock => ({
  type: 'image',
  attachment: { sha256: id, mediaType: 'image/png' },
});

/** The text of each block; `image` for an image. */
function shown(blocks: readonly ContentBlock[]): string[] {
  return blocks.map((block) => (block.type === 'text' ? block.text : 'image'));
}

describe('cutText', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['a\uD83D', 2, 'a\uD83D'],
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['a\u{10000}b', 2, 'a'],
    ['a\u{10FFFF}b', 2, 'a'],
    ['abc', 0, ''],
  ])('cuts %s to %d units, never through a character: %s', (whole, length, cut) => {
    expect(cutText(whole, length)).toBe(cut);
  });
});

it('makes a short fact one bounded line', () => {
  expect(shortFact('a\r\nb\u0000c')).toBe('a b c');
  expect(shortFact('x'.repeat(200))).toBe('x'.repeat(200));
  expect(shortFact('x'.repeat(300))).toBe(`${'x'.repeat(200)}…`);
  expect(shortFact('a😀b', 2)).toBe('a…');
});

describe('boundText', () => {
  it('leaves alone what fits, but for halves of characters (B16)', () => {
    expect(shown(boundText([text('a\uD800'), image('1'), text('b')], 200))).toEqual(['a\uFFFD', 'image', 'b']);
    expect(shown(boundText([text('x'.repeat(150)), text('y'.repeat(150))], 300))).toEqual(['x'.repeat(150), 'y'.repeat(150)]);
  });

  it('cuts with a marker that says how much is shown, within the bound', () => {
    const blocks = boundText([text('x'.repeat(1_000))], 300);
    expect(shown(blocks)).toEqual([`${'x'.repeat(180)}\n[cut here: the first 180 of 1000 characters are shown]`]);
  });

  it('keeps whole what stands before the cut, every image, and no text after it', () => {
    const blocks = boundText([text('a'.repeat(100)), image('1'), text('b'.repeat(400)), image('2'), text('c')], 300);
    expect(shown(blocks)).toEqual(['a'.repeat(100), 'image', `${'b'.repeat(80)}\n[cut here: the first 180 of 501 characters are shown]`, 'image']);
  });
});

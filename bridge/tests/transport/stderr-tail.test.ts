import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createRedactor } from '../../src/transport/redact.ts';
import { readStderr, type ReadingBounds, type ReadStderr } from './read-stderr.ts';

const SECRET = 'canary-0123456789-canary';
const redact = createRedactor({ TOKEN: SECRET });

/** What is made of these chunks. */
const read = (chunks: readonly Buffer[], bounds?: ReadingBounds): ReadStderr => readStderr(chunks, redact, bounds);

/** The same bytes, cut at these places. */
function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return places.map((from, index) => bytes.subarray(from, places[index + 1] ?? from));
}

const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');

/** What a server may write. */
const written = fc
  .array(fc.oneof(fc.constant(SECRET), fc.constant('\n'), fc.constant(' \r\n'), fc.string({ maxLength: 30 }), fc.constant('é'.repeat(20)), fc.constant('x'.repeat(300)), fc.constant('ab\n'.repeat(100))), { maxLength: 40 })
  .map((parts) => Buffer.from(parts.join('')));
const cuts = fc.array(fc.nat({ max: 2_000 }));

describe('StderrTail', () => {
  it('keeps the last lines, the unfinished one included', () => {
    const { lines, text } = read([Buffer.from('one\r\n\ntw'), Buffer.from('o\nthree')]);
    expect(lines).toEqual(['one', 'two']);
    expect(text).toBe('one\ntwo\nthree');
  });

  it('is empty where nothing was written but blank lines, and loses nothing by them', () => {
    expect(read([Buffer.from('\n \t\r\n\n')])).toMatchObject({ text: '', lines: [], unseen: 0 });
    expect(read([Buffer.from(`told\n${' \n'.repeat(2_000)}`)]).text).toBe('told');
    // No byte of it is blank, but what is shown of it is.
    expect(read([Buffer.from('\u2028\n')])).toMatchObject({ text: '', lines: [] });
  });

  it('drops the oldest lines beyond its size', () => {
    const { text } = read([Buffer.from(numbered(100))]);
    expect(text.endsWith('line 98\nline 99')).toBe(true);
    expect(text.length).toBeGreaterThan(190);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200);
  });

  it('shows a last line that is longer than its size', () => {
    expect(read([Buffer.from(`short\n${'x'.repeat(50)}\n`)], { tailBytes: 10 }).text).toBe('x'.repeat(50));
  });

  it('keeps as much as its size allows, to the byte', () => {
    expect(read([Buffer.from('aaa\nbbb\n')], { tailBytes: 8 }).text).toBe('aaa\nbbb');
    expect(read([Buffer.from('aaa\nbbb\n')], { tailBytes: 7 }).text).toBe('bbb');
  });

  it('takes a line without an end in its stride, and keeps no more of it than it shows (B01, B08)', () => {
    const piece = Buffer.alloc(4_096, 'x');
    expect(read(Array.from({ length: 20_000 }, () => piece))).toMatchObject({ lines: [], text: `${'x'.repeat(60)}…` });
  });

  it('never shows a piece of a secret, however the text is chunked, cut or repeated', () => {
    fc.assert(
      fc.property(written, cuts, fc.integer({ min: 10, max: 200 }), (bytes, places, tailBytes) => {
        const { lines, text } = read(cutAt(bytes, places), { tailBytes });
        for (const shown of [...lines, text]) expect(shown).not.toContain(SECRET.slice(0, 7));
        for (const shown of [...lines, text]) expect(shown).not.toContain(SECRET.slice(-7));
      }),
      { numRuns: 300 },
    );
  });

  it('tells the same however the text is chunked, and whether it is seen or not', () => {
    fc.assert(
      fc.property(written, cuts, fc.integer({ min: 10, max: 200 }), fc.nat({ max: 5 }), (bytes, places, tailBytes, seen) => {
        const whole = read([bytes], { tailBytes });
        const cut = read(cutAt(bytes, places), { tailBytes, seen });
        expect(cut).toMatchObject({ text: whole.text, lines: whole.lines.slice(0, seen) });
        expect(cut.lines.length + cut.unseen).toBe(whole.lines.length);
      }),
      { numRuns: 300 },
    );
  });

  it('cuts long lines without cutting a character', () => {
    const { lines } = read([Buffer.from(`${'é'.repeat(500)}\n`)]);
    expect(lines).toEqual([`${'é'.repeat(30)}…`]);
  });

  it('works for the lines that are seen and for those that are kept, and for no others (B19)', () => {
    const { lines, unseen, shown, text } = read([Buffer.from(numbered(50_000))], { seen: 20 });
    expect({ lines: lines.length, unseen }).toEqual({ lines: 20, unseen: 49_980 });
    expect(text.endsWith('line 49998\nline 49999')).toBe(true);
    // 20 lines, and at the end as many as fit into its 200 bytes, the one that does not fit, and what has not ended.
    expect(shown).toBeLessThanOrEqual(20 + 200 / 11 + 2);
  });

  it.each([1_024, 65_536])('moves no more bytes than come, whatever their number, with %i bytes to keep (B19)', (tailBytes) => {
    const chunk = Buffer.from('line\n'.repeat(800));
    const copy = vi.spyOn(Buffer.prototype, 'copy');
    try {
      read(Array.from({ length: 500 }, () => chunk), { tailBytes, seen: 0 });
      const moved = copy.mock.calls.reduce((sum, [, , from, to]) => sum + Number(to) - Number(from), 0);
      expect(moved).toBeGreaterThan(0);
      expect(moved).toBeLessThan(500 * chunk.length);
    } finally {
      copy.mockRestore();
    }
  });
});

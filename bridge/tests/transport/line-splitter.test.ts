import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, type OversizedLine } from '../../src/transport/line-splitter.ts';

interface Found {
  lines: string[];
  oversized: OversizedLine[];
  endless: number;
}

function split(chunks: readonly Buffer[], limit = 1_000_000): Found {
  const found: Found = { lines: [], oversized: [], endless: 0 };
  const splitter = new LineSplitter(limit, {
    onLine: (line) => found.lines.push(line.toString('utf8')),
    onOversized: (line) => found.oversized.push(line),
    onEndless: () => {
      found.endless += 1;
    },
  });
  for (const chunk of chunks) splitter.push(chunk);
  return found;
}

/** Cuts bytes at the given places, modulo their number. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index]));
}

/** Text without LF, rich in what other splitters take for a line end or cut in the middle. */
const line = fc
  .array(fc.oneof(fc.constantFrom('\r', '\u2028', '\u2029', '\u0085', '\v', 'é', '€', '😀', '{"a":1}', '\uFEFF', ''), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join('').replaceAll('\n', ''));
const places = fc.array(fc.nat(), { maxLength: 30 });

/** What has to come out: one trailing CR removed from each line, one BOM from the first. */
function expected(lines: readonly string[]): string[] {
  return lines.map((text, index) => {
    const body = text.endsWith('\r') ? text.slice(0, -1) : text;
    return index === 0 && body.startsWith('\uFEFF') ? body.slice(1) : body;
  });
}

describe('LineSplitter', () => {
  it('finds the same lines whatever the chunks', () => {
    fc.assert(
      fc.property(fc.array(line), places, (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
        expect(split(cut(bytes, cuts)).lines).toEqual(expected(lines));
      }),
      { numRuns: 300 },
    );
  });

  it('finds the same lines byte by byte', () => {
    const text = '\uFEFF{"a":"é😀"}\r\n\n\u2028\r\r\nlast\n';
    const bytes = Buffer.from(text);
    expect(split(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))).lines).toEqual(['{"a":"é😀"}', '', '\u2028\r', 'last']);
  });

  it('keeps a line that has not ended to itself', () => {
    expect(split([Buffer.from('one\ntwo')]).lines).toEqual(['one']);
  });

  it('removes a byte order mark at the start of the stream only', () => {
    expect(split([Buffer.from('\uFEFFa\n\uFEFFb\n')]).lines).toEqual(['a', '\uFEFFb']);
  });

  it('sorts lines by the limit and finds the ends of those beyond it, whatever the chunks', () => {
    const limit = 600;
    const length = fc.oneof(fc.integer({ min: 590, max: 610 }), fc.integer({ min: 0, max: 1_190 }));
    fc.assert(
      fc.property(fc.array(length, { maxLength: 6 }), places, fc.boolean(), (lengths, cuts, carriageReturn) => {
        const lines = lengths.map((size, index) => String.fromCodePoint(97 + index).repeat(size));
        const bytes = Buffer.from(lines.map((text) => `${text}${carriageReturn ? '\r' : ''}\n`).join(''));
        const found = split(cut(bytes, cuts), limit);
        expect(found.lines).toEqual(lines.filter((text) => text.length <= limit));
        const tooLong = lines.filter((text) => text.length > limit);
        expect(found.oversized.map(({ head }) => head.toString())).toEqual(tooLong.map((text) => text.slice(0, 256)));
        expect(found.oversized.map(({ tail }) => tail.toString().trimEnd().slice(-200))).toEqual(tooLong.map((text) => text.slice(-200)));
        expect(found.endless).toBe(0);
      }),
    );
  });

  it('gives up at a line that is longer than twice the limit, whatever the chunks', () => {
    fc.assert(
      fc.property(places, fc.boolean(), (cuts, ends) => {
        const bytes = Buffer.from(`before\n${'x'.repeat(300)}${ends ? '\nafter\n' : ''}`);
        expect(split(cut(bytes, cuts), 100)).toEqual({ lines: ['before'], oversized: [], endless: 1 });
      }),
    );
  });
});

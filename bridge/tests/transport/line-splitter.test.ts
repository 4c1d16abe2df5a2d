import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, type OversizedLine } from '../../src/transport/line-splitter.ts';

interface Found {
  lines: string[];
  oversized: OversizedLine[];
  endless: number;
}

function splitting(limit: number): { readonly splitter: LineSplitter; readonly found: Found } {
  const found: Found = { lines: [], oversized: [], endless: 0 };
  const splitter = new LineSplitter(limit, {
    onLine: (line) => found.lines.push(line.toString('utf8')),
    onOversized: (line) => found.oversized.push(line),
    onEndless: () => {
      found.endless += 1;
    },
  });
  return { splitter, found };
}

function split(chunks: readonly Buffer[], limit = 1_000_000): Found {
  const { splitter, found } = splitting(limit);
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

  it('tells both ends of a line beyond the limit and its length, without line end and byte order mark, whatever the chunks', () => {
    const limit = 600;
    // No two places look alike.
    const long = Array.from({ length: 400 }, (_, index) => String(index).padStart(3, '0')).join('');
    const size = fc.oneof(fc.integer({ min: 598, max: 606 }), fc.integer({ min: 601, max: 1_190 }));
    fc.assert(
      fc.property(size, size, places, fc.constantFrom('', '\r'), fc.constantFrom('', '\uFEFF'), (one, two, cuts, carriageReturn, mark) => {
        const bodies = [long.slice(0, one), `${mark}${long.slice(0, two)}`];
        const found = split(cut(Buffer.from(`${mark}${bodies.map((body) => `${body}${carriageReturn}\n`).join('')}short\n`), cuts), limit);
        const tooLong = bodies.map((body) => Buffer.from(body)).filter((body) => body.length > limit);
        expect(found.oversized.map(({ head, tail, bytes }) => [head.toString(), tail.toString(), bytes])).toEqual(
          tooLong.map((body) => [body.subarray(0, 256).toString(), body.subarray(-256).toString(), body.length]),
        );
        expect(found.lines).toEqual([...bodies.filter((body) => Buffer.byteLength(body) <= limit), 'short']);
      }),
      { numRuns: 200 },
    );
  });

  it('counts the bytes of a line that has not ended', () => {
    const { splitter } = splitting(100);
    splitter.push(Buffer.from('one\ntwo'));
    expect(splitter.unfinishedBytes).toBe(3);
  });

  it.each([[[200]], [[199, 1]], [[150, 50]]])('takes a line of twice the limit for too long and not for endless, in pieces of %j', (sizes) => {
    const found = split([...sizes.map((size) => Buffer.from('x'.repeat(size))), Buffer.from('\n')], 100);
    expect([found.oversized.map(({ bytes }) => bytes), found.endless]).toEqual([[200], 0]);
    expect(split([Buffer.from(`${'x'.repeat(200)}\n`)], 100).endless).toBe(0);
    expect(split([Buffer.from(`${'x'.repeat(201)}\n`)], 100).endless).toBe(1);
  });

  it('keeps nothing and tells nothing once it gave up, however much comes (B01)', () => {
    const { splitter, found } = splitting(100);
    for (let count = 0; count < 10; count += 1) splitter.push(Buffer.from('x'.repeat(150)));
    splitter.push(Buffer.from('\nafter\n'));
    expect([splitter.unfinishedBytes, found]).toEqual([0, { lines: [], oversized: [], endless: 1 }]);
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

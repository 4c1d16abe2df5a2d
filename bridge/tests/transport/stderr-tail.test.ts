import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/transport/redact.ts';
import { StderrTail } from '../../src/transport/stderr-tail.ts';

const SECRET = 'canary-0123456789-canary';

function read(chunks: readonly Buffer[], tailBytes = 200, maxLineBytes = 60): { lines: string[]; text: string } {
  const lines: string[] = [];
  const tail = new StderrTail({ tailBytes, maxLineBytes, redact: createRedactor({ TOKEN: SECRET }), onLine: (line) => lines.push(line) });
  for (const chunk of chunks) tail.push(chunk);
  return { lines, text: tail.text() };
}

describe('StderrTail', () => {
  it('keeps the last lines, the unfinished one included', () => {
    const { lines, text } = read([Buffer.from('one\r\n\ntw'), Buffer.from('o\nthree')]);
    expect(lines).toEqual(['one', 'two']);
    expect(text).toBe('one\ntwo\nthree');
  });

  it('drops the oldest lines beyond its size', () => {
    const { text } = read([Buffer.from(Array.from({ length: 100 }, (_, n) => `line ${n}\n`).join(''))]);
    expect(text.endsWith('line 98\nline 99')).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200);
  });

  it('never shows a piece of a secret, however the text is chunked, cut or repeated', () => {
    const part = fc.oneof(fc.constant(SECRET), fc.constant('\n'), fc.string({ maxLength: 30 }), fc.constant('é'.repeat(20)));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat({ max: 400 })), (parts, cuts) => {
        const bytes = Buffer.from(parts.join(''));
        const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
        const { lines, text } = read(places.map((from, index) => bytes.subarray(from, places[index + 1] ?? from)));
        for (const shown of [...lines, text]) expect(shown).not.toContain(SECRET.slice(0, 7));
      }),
      { numRuns: 300 },
    );
  });

  it('shows no piece of a secret at the end of a cut line whose other secrets made room', () => {
    const { lines } = read([Buffer.from(`${SECRET.repeat(6)}\n`)]);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.replaceAll('[redacted]', '')).not.toContain('can');
  });

  it('cuts long lines without cutting a character', () => {
    const { lines } = read([Buffer.from(`${'é'.repeat(500)}\n`)]);
    expect(lines).toEqual([`${'é'.repeat(30)}…`]);
  });
});

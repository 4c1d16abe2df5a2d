import { describe, expect, it, vi } from 'vitest';
import { bytesToShow, createRedactor } from '../../src/transport/redact.ts';
import { readStderr } from './read-stderr.ts';

/** Much longer than what stands for it, so that all that is kept is looked at; each piece of it is known by its digits. */
const SECRET = Array.from({ length: 50 }, (_, n) => `c${100 + n}`).join('');
const redact = createRedactor({ TOKEN: SECRET });
const redactNothing = createRedactor({});
const MAX_LINE_BYTES = 60;
/** So much of a line is looked at. */
const LOOKED_AT_BYTES = bytesToShow(MAX_LINE_BYTES, redact) + 1;

/** Lines with a number and a secret each, as a server writes them and as they are shown. */
function secretLines(count: number): { written: string; shown: string } {
  const numbers = Array.from({ length: count }, (_, n) => `n${n + 10}`);
  return { written: numbers.map((n) => `${n} ${SECRET}\n`).join(''), shown: numbers.map((n) => `${n} [redacted]`).join('\n') };
}

/** The bytes in chunks of this size. */
function chunksOf(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}

describe('where a StderrTail begins and ends', () => {
  it.each([[20, 100_000], [20, 97], [30, 100_000], [30, 97]])(
    'shows no end of a secret whose beginning is kept no more, wherever that was: %i lines in chunks of %i bytes (B18)',
    (count, size) => {
      const { written, shown } = secretLines(count);
      // Blanks after the last word move by a byte each what is kept of the lines before it.
      for (let blanks = 0; blanks <= SECRET.length + 10; blanks += 1) {
        const { text } = readStderr(chunksOf(`${written}end${' '.repeat(blanks)}`, size), redact);
        expect(`${shown}\nend`.endsWith(`\n${text}`), text).toBe(true);
        expect(text.split('\n').length).toBeGreaterThan(5);
      }
    },
  );

  it('shows no end of a secret where the longest of blank lines took the place of what was kept before it (B18)', () => {
    const { written, shown } = secretLines(30);
    for (let blanks = LOOKED_AT_BYTES - 3; blanks <= LOOKED_AT_BYTES; blanks += 1) {
      const { text } = readStderr([written, ' '.repeat(blanks), '\n'.repeat(5_000)].map((part) => Buffer.from(part)), redact, { tailBytes: 300 });
      expect(shown.endsWith(`\n${text}`), text).toBe(true);
      expect(text.split('\n').length).toBeGreaterThan(5);
    }
  });

  it('shows no beginning of a secret at the end of a cut line whose other secrets made room (B18)', () => {
    const { lines, text } = readStderr([Buffer.from(`${SECRET.repeat(5)}\n`)], redact);
    expect(lines).toHaveLength(1);
    for (const shown of [...lines, text]) expect(shown.replaceAll('[redacted]', '')).not.toMatch(/c\d?/);
  });

  it('shows a line whole that is as long as a line may be, and cuts one that is a byte longer', () => {
    const most = 'x'.repeat(MAX_LINE_BYTES);
    expect(readStderr([Buffer.from(`${most}\n${most}y\n`)], redactNothing).lines).toEqual([most, `${most}…`]);
  });

  it('tells of a line that is blank as far as it is looked at and goes on, and of none that is blank to its end', () => {
    const blank = ' '.repeat(LOOKED_AT_BYTES);
    expect(readStderr([Buffer.from(`${blank}\n`)], redact)).toMatchObject({ lines: [], text: '' });
    expect(readStderr([Buffer.from(`${blank}told\n`)], redact)).toMatchObject({ lines: ['…'], text: '…' });
  });

  it.each([' ', '\t', '\r'])('counts no line of nothing but %j, which nobody would see', (blank) => {
    expect(readStderr([Buffer.from(`${blank}\n`)], redact, { seen: 0 }).unseen).toBe(0);
  });

  it('takes memory as it is needed, and takes none again for what it has (B19)', () => {
    const chunk = Buffer.from('line\n'.repeat(800));
    const alloc = vi.spyOn(Buffer, 'alloc');
    const taken = (): number => alloc.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
    try {
      readStderr([Buffer.from('line\n')], redactNothing, { tailBytes: 1_000_000 });
      expect(taken()).toBeLessThan(100);
      alloc.mockClear();
      readStderr(Array.from({ length: 500 }, () => chunk), redactNothing, { tailBytes: 1_000, seen: 0 });
      expect(taken()).toBeGreaterThan(1_000);
      expect(taken()).toBeLessThan(15_000);
    } finally {
      alloc.mockRestore();
    }
  });
});

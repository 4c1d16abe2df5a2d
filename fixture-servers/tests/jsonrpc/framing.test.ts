import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../fuzz-runs.ts';
import { createLineSplitter } from '../../src/jsonrpc/framing.ts';

function split(chunks: readonly Uint8Array[]): { lines: string[]; bytes: number; rest: string | undefined } {
  const splitter = createLineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  const rest = splitter.rest();
  return {
    lines: lines.map((line) => line.text),
    bytes: lines.reduce((sum, line) => sum + line.bytes, 0) + (rest?.bytes ?? 0),
    rest: rest?.text,
  };
}

/** The same bytes, cut at any places. */
const cutBytes = fc
  .tuple(fc.array(fc.constantFrom(10, 13, 0xe2, 0x80, 0xa8, 97, 0xf0, 0), { maxLength: 200 }), fc.array(fc.nat(200), { maxLength: 20 }))
  .map(([bytes, cuts]) => {
    const whole = Uint8Array.from(bytes);
    const sorted = cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b);
    return { whole, chunks: [...sorted, whole.length].map((cut, index) => whole.subarray(index === 0 ? 0 : sorted[index - 1], cut)) };
  });

describe('a line splitter', () => {
  it('gives the same lines however the bytes are cut, and loses none', () => {
    fc.assert(
      fc.property(cutBytes, ({ whole, chunks }) => {
        const together = split([whole]);
        expect(split(chunks)).toEqual(together);
        expect(together.bytes).toBe(whole.length);
        expect(together.lines.length).toBe(whole.filter((byte) => byte === 10).length);
      }),
      fuzzRuns(100),
    );
  });

  it('ends a line at LF alone, and takes one CR before it away', () => {
    expect(split([Buffer.from('a\u2028b\u2029c\u0085d\re\r\nf\r\r\n')]).lines).toEqual(['a\u2028b\u2029c\u0085d\re', 'f\r']);
  });

  it('keeps what follows the last LF apart', () => {
    expect(split([Buffer.from('one\ntw')])).toEqual({ lines: ['one'], bytes: 6, rest: 'tw' });
  });

  it('gives up a line that passes its bound, and says the bound', () => {
    const splitter = createLineSplitter(8);
    expect(() => splitter.push(Buffer.from('123456789'))).toThrow('limit of 8 bytes');
  });
});

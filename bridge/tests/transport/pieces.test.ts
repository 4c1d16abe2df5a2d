import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Pieces } from '../../src/transport/pieces.ts';

it('puts pieces together in their order, whatever their sizes, and is empty then', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.nat({ max: 3_000 }).map((size) => new Uint8Array(size).fill(size))), { maxLength: 30 }), fc.nat({ max: 400 }), (some, times) => {
      const pieces = new Pieces();
      const all = Array.from({ length: times }, () => some).flat();
      for (let round = 0; round < 2; round += 1) {
        for (const piece of all) pieces.add(piece);
        const whole = Buffer.concat(all);
        expect(pieces.bytes).toBe(whole.length);
        expect(pieces.take().equals(whole)).toBe(true);
        expect([pieces.bytes, pieces.count]).toEqual([0, 0]);
      }
    }),
    { numRuns: 50 },
  );
});

it('holds tiny pieces in few objects, and copies no others (B01)', () => {
  const pieces = new Pieces();
  for (let n = 0; n < 100_000; n += 1) pieces.add(Buffer.of(n % 256));
  expect(pieces.count).toBeLessThan(100_000 / 1_024 + 1_024);
  pieces.clear();
  for (let n = 0; n < 2_048; n += 1) pieces.add(Buffer.alloc(256));
  expect(pieces.count).toBe(2_048);
});

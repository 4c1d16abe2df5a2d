/** Bytes in pieces. */
import * as fc from 'fast-check';

/** Where bytes are cut: at parts of their length, in thousandths; or after every byte. */
export type Cuts = readonly number[] | 'every byte';

/** Any way of cutting. */
export const anyCuts: fc.Arbitrary<Cuts> = fc.oneof(fc.array(fc.nat(1_000), { maxLength: 8 }), fc.constant('every byte' as const));

/** Longest bytes that are cut after every one; above it a run would take long and say no more. */
const EVERY_BYTE_MAX = 4_000;

/** The pieces, all of the bytes in order; empty ones among them where two cuts meet. */
export function cut(bytes: Buffer, cuts: Cuts): Buffer[] {
  if (cuts === 'every byte') {
    const step = Math.max(1, Math.ceil(bytes.length / EVERY_BYTE_MAX));
    return Array.from({ length: Math.ceil(bytes.length / step) }, (_none, index) => bytes.subarray(index * step, (index + 1) * step));
  }
  const at = cuts.map((part) => Math.floor((bytes.length * part) / 1_000)).sort((left, right) => left - right);
  return [...at, bytes.length].map((to, index) => bytes.subarray(at[index - 1] ?? 0, to));
}

/** Bytes that are nothing in particular, with the marks in them that readers look for. */
export const anyBytes: fc.Arbitrary<Buffer> = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\ufeff', '{', '"', ':', 'data:', 'id: ', 'retry: 1', 'event: x', '{"jsonrpc":"2.0"}', '\0', ' ', '\u0085', '\u2028', '€').map((text) => Buffer.from(text)),
    fc.constantFrom([0xef, 0xbb], [0xff, 0xfe], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f]).map((bytes) => Buffer.from(bytes)),
  ),
  { maxLength: 12 },
).map((parts) => Buffer.concat(parts));

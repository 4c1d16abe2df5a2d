import { expect, it } from 'vitest';
import { Utf8Watch, type BadByte } from '../../src/adapter/utf8-watch.ts';

/** What is found in bytes that come in pieces of this size; `before` is counted over all of them. */
function foundIn(bytes: Buffer, size: number): BadByte | undefined {
  const watch = new Utf8Watch();
  for (let from = 0; from < bytes.length; from += size) {
    const bad = watch.push(bytes.subarray(from, from + size));
    if (bad !== undefined) return { ...bad, before: from + bad.before };
  }
  return undefined;
}

const bytes = (...parts: readonly (string | number)[]): Buffer => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));

it.each<[string, Buffer, Partial<BadByte>]>([
  ['a byte of Latin-1', bytes('{"a":"caf', 0xe9, '"}\n'), { byte: 10, value: 0xe9 }],
  ['one in a later line, after characters of several bytes', bytes('é\n€😀\n€', 0xff, '\n'), { byte: 4, value: 0xff }],
  ['half a character before a line end', bytes('one\nab', 0xf0, 0x9f, '\n'), { byte: 3, value: 0xf0 }],
  ['half of a surrogate pair', bytes('a', 0xed, 0xa0, 0x80, 'b\n'), { byte: 2, value: 0xed }],
  ['a longer form of a shorter character', bytes(0xc0, 0xaf, '\n'), { byte: 1, value: 0xc0 }],
  ['a byte that goes on with nothing', bytes('ab', 0x80, '\n'), { byte: 3, value: 0x80 }],
])('finds %s, however the bytes are cut', (_what, all, due) => {
  for (let size = 1; size <= all.length; size += 1) expect(foundIn(all, size)).toMatchObject(due);
});

it('gives up no line before the bad one', () => {
  const good = 'é\n€😀\n';
  const all = bytes(good, 'x', 0xff, '\n');
  expect(foundIn(all, all.length)?.before).toBe(Buffer.byteLength(good));
});

it('finds nothing in UTF-8, however it is cut', () => {
  const all = bytes('{"a":"é€😀\\ud800"}\r\n'.repeat(3));
  for (let size = 1; size <= 12; size += 1) expect(foundIn(all, size)).toBeUndefined();
});

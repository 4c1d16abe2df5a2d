import { expect, it } from 'vitest';
import { sniffImageType } from '../src/image-type.ts';

it.each([
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['GIF88a', undefined],
  ['it is no GIF87a', undefined],
  ['RIFF....WEBP', 'image/webp'],
  ['RIFF....WAVE', undefined],
  ['XXXX....WEBP', undefined],
])('tells an image by its first bytes, whatever else is like it: %j is %s (B17)', (head, type) => {
  expect(sniffImageType(Buffer.from(`${head}\0\0\0\0`, 'latin1'))).toBe(type);
});

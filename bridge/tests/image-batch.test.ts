import { array, assert, base64String, constantFrom, oneof, property, record, uint8Array, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imagePieces } from '../src/content-pieces.ts';
import { decodeImages, type DecodedBatch } from '../src/image-batch.ts';
import type { JsonValue } from '../src/host-services.ts';
import { imageBlock, imageBytes, TYPES } from './images/samples.ts';

const LIMITS = { maxImageBytes: 1_000, maxImagesPerResult: 4 };
const decode = (...content: JsonValue[]): DecodedBatch => decodeImages(imagePieces(content), LIMITS);
const image = (data: JsonValue, mimeType: JsonValue = 'image/png'): JsonValue => ({ type: 'image', data, mimeType });
const PNG = imageBytes('image/png').toString('base64');

/** Why each image is refused, as it reads where they stand. */
function reasons(batch: DecodedBatch, count = 1): string[] {
  if (batch.kind !== 'refused') throw new Error('it was decoded');
  return Array.from({ length: count }, (_, index) => batch.own?.get(index) ?? batch.reason);
}

describe('decodeImages', () => {
  it('decodes every kind, in order, and passes over what is no image (S43)', () => {
    const batch = decode({ type: 'text', text: 'a' }, ...TYPES.flatMap((type): JsonValue[] => [imageBlock(type), null]));
    expect(batch).toEqual({ kind: 'decoded', images: TYPES.map((mediaType) => ({ mediaType, data: Uint8Array.from(imageBytes(mediaType)) })) });
  });

  it.each([
    ['white space', `${PNG.slice(0, 4)}\n${PNG.slice(4)}`],
    ['the other alphabet', imageBytes('image/png', '??>>??>>??>>').toString('base64url')],
    ['missing padding', PNG.replace(/=+$/, '')],
    ['too much padding', `${PNG}=`],
    ['stray bits behind the last byte', PNG.replace(/g==$/, 'h==')],
    ['a data URL', `data:image/png;base64,${PNG}`],
    ['other characters', `${PNG.slice(0, -4)}ÄÖÜ=`],
  ])('refuses base64 with %s (S43)', (_what, data) => {
    expect(reasons(decode(image(data)))).toEqual(['its data is not canonical base64']);
  });

  it.each([
    ['image/svg+xml', 'its type is none of image/png, image/jpeg, image/webp, image/gif'],
    ['image/jpg', 'its type is none of image/png, image/jpeg, image/webp, image/gif'],
    ['IMAGE/PNG', 'its type is none of image/png, image/jpeg, image/webp, image/gif'],
    ['', 'its type is none of image/png, image/jpeg, image/webp, image/gif'],
    ['image/gif', 'its bytes are image/png'],
  ])('refuses a PNG that is said to be %j (R62, B17)', (type, reason) => {
    expect(reasons(decode(image(PNG, type)))).toEqual([reason]);
  });

  it.each([
    ['', 'its bytes are no PNG, JPEG, WebP or GIF'],
    ['PHN2Zy8+', 'its bytes are no PNG, JPEG, WebP or GIF'],
    ['iVBORw==', 'its bytes are no PNG, JPEG, WebP or GIF'],
    [undefined, 'its data is missing'],
    [7, 'its data is missing'],
  ])('refuses the data %j', (data, reason) => {
    expect(reasons(decode(data === undefined ? { type: 'image', mimeType: 'image/png' } : image(data)))).toEqual([reason]);
  });

  it('refuses an image without a type', () => {
    expect(reasons(decode({ type: 'image', data: PNG }))).toEqual(['its mimeType is missing']);
  });

  it('takes an image as large as the bound, to the byte, and refuses a larger one undecoded (R66)', () => {
    const { length } = imageBytes('image/gif', 'x'.repeat(200));
    const [fitting, tight] = [length, length - 1].map((maxImageBytes) => decodeImages(imagePieces([imageBlock('image/gif', 'x'.repeat(200))]), { ...LIMITS, maxImageBytes }));
    expect(fitting?.kind).toBe('decoded');
    expect(tight === undefined ? [] : reasons(tight)).toEqual([`it has ${length} bytes, more than the ${length - 1} of maxImageBytes`]);
    expect(reasons(decode(image('!'.repeat(2_000))))[0]).toContain('maxImageBytes');
  });

  it('counts the bytes that the padding leaves', () => {
    for (const length of [300, 301, 302]) {
      const data = Buffer.concat([imageBytes('image/png'), Buffer.alloc(length)]);
      const batch = decodeImages(imagePieces([image(data.toString('base64'))]), { ...LIMITS, maxImageBytes: data.length });
      expect(batch.kind).toBe('decoded');
      const tight = decodeImages(imagePieces([image(data.toString('base64'))]), { ...LIMITS, maxImageBytes: data.length - 1 });
      expect(reasons(tight)).toEqual([`it has ${data.length} bytes, more than the ${data.length - 1} of maxImageBytes`]);
    }
  });

  it('refuses more images than the bound, whatever they are (R66)', () => {
    expect(reasons(decode(...Array.from({ length: 5 }, () => image(PNG))))).toEqual(['the result has 5 images, more than the 4 of maxImagesPerResult']);
  });

  it('says of each image why: its own fault, or that another one was refused (S45)', () => {
    expect(reasons(decode(image(PNG), image('no'), image(PNG, 'image/bmp')), 3)).toEqual([
      'another image of this result was refused',
      'its data is not canonical base64',
      'its type is none of image/png, image/jpeg, image/webp, image/gif',
    ]);
  });

  it('hands on bytes in memory of their own, small ones too', () => {
    for (const comment of ['', 'x'.repeat(200)]) {
      const batch = decodeImages(imagePieces([imageBlock('image/png', comment)]), LIMITS);
      const data = batch.kind === 'decoded' ? batch.images[0]?.data : undefined;
      expect(data?.buffer.byteLength).toBe(data?.byteLength);
      expect(data?.constructor).toBe(Uint8Array);
    }
    const large = Buffer.concat([imageBytes('image/png'), Buffer.alloc(20_000)]);
    const batch = decodeImages(imagePieces([image(large.toString('base64'))]), { ...LIMITS, maxImageBytes: 100_000 });
    expect(batch.kind === 'decoded' && batch.images[0]?.data.buffer.byteLength).toBe(large.length);
  });

  it('decodes a batch exactly when each image is good, and then to the bytes that were encoded (S43, S45, B17)', () => {
    interface Sample {
      readonly block: JsonValue;
      /** Absent: it is no good image. */
      readonly bytes?: Uint8Array;
    }
    const good: Arbitrary<Sample> = record({ mediaType: constantFrom(...TYPES), tail: uint8Array({ maxLength: 40 }) }).map(({ mediaType, tail }) => {
      const bytes = Buffer.concat([imageBytes(mediaType), tail]);
      return { block: image(bytes.toString('base64'), mediaType), bytes: Uint8Array.from(bytes) };
    });
    const bad: Arbitrary<Sample> = record({ mediaType: constantFrom('image/png', 'image/bmp', 'text/html'), data: base64String({ maxLength: 60 }) }).map(({ mediaType, data }) => ({ block: image(data, mediaType) }));
    let decoded = 0;
    let refused = 0;
    assert(
      property(array(oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: bad }), { minLength: 1, maxLength: 4 }), (list) => {
        const batch = decodeImages(imagePieces(list.map(({ block }) => block)), LIMITS);
        if (list.some(({ bytes }) => bytes === undefined)) {
          refused += 1;
          expect(batch.kind).toBe('refused');
        } else {
          decoded += 1;
          expect(batch).toMatchObject({ kind: 'decoded', images: list.map(({ bytes }) => ({ data: bytes })) });
        }
      }),
    );
    expect(Math.min(decoded, refused)).toBeGreaterThan(10);
  });
});

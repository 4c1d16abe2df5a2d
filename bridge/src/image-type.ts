/**
 * What kind of image some bytes are, told by their first bytes and not by what is said of them (B17).
 * @module
 */

/** Raster images that a model may be shown (S43). */
export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** The same as a list, for a look-up and for messages. */
export const IMAGE_MEDIA_TYPES: readonly ImageMediaType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Whether a declared type is one of the four, to the letter. */
export function isImageMediaType(declared: string): declared is ImageMediaType {
  return IMAGE_MEDIA_TYPES.some((known) => known === declared);
}

/** The media type of an image, or `undefined` when the bytes begin like none of the four. */
export function sniffImageType(data: Uint8Array): ImageMediaType | undefined {
  if (startsWith(data, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(data, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  const head = new TextDecoder('latin1').decode(data.subarray(0, 12));
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}

function startsWith(data: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => data[index] === byte);
}

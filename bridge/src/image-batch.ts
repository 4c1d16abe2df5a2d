/**
 * The images of one result as one batch: all of them decoded strictly, or none (S43, S45, B17). Pure.
 * @module
 */
import type { ImagePiece } from './content-pieces.ts';
import type { ImageInput } from './host-services.ts';
import { IMAGE_MEDIA_TYPES, isImageMediaType, sniffImageType } from './image-type.ts';

/** Bounds of a batch (B01, R66). */
export interface BatchLimits {
  /** One image, encoded, in bytes. */
  readonly maxImageBytes: number;
  /** Images of one result. */
  readonly maxImagesPerResult: number;
}

/** No image of a result is shown, and what the model reads in the place of each (S45). */
export interface ImageRefusal {
  readonly kind: 'refused';
  /** Why, for every image that has no reason of its own. */
  readonly reason: string;
  /** Reasons of single images, by their place among the images. */
  readonly own?: ReadonlyMap<number, string>;
}

/** A refusal by a service of the host, or by the want of one. */
export interface ServiceRefusal extends ImageRefusal {
  /** Set when the service failed: what it threw, or what it did instead of an answer. For the log. */
  readonly fault?: unknown;
}

/** What decoding makes of a batch. */
export type DecodedBatch = { readonly kind: 'decoded'; readonly images: readonly ImageInput[] } | ImageRefusal;

/** What an image says whose own data is good. */
const ANOTHER_REFUSED = 'another image of this result was refused';

/** A refusal for one reason. */
export function refuseImages(reason: string): ImageRefusal {
  return { kind: 'refused', reason };
}

/**
 * Decodes every image of a result. One that cannot be decoded refuses them all, and each bad one keeps its own reason.
 * Nothing is decoded that is above a bound.
 */
export function decodeImages(pieces: readonly ImagePiece[], limits: BatchLimits): DecodedBatch {
  if (pieces.length > limits.maxImagesPerResult) {
    return refuseImages(`the result has ${pieces.length} images, more than the ${limits.maxImagesPerResult} of maxImagesPerResult`);
  }
  const images: ImageInput[] = [];
  const own = new Map<number, string>();
  for (const [index, piece] of pieces.entries()) {
    const decoded = decodeImage(piece, limits.maxImageBytes);
    if (typeof decoded === 'string') own.set(index, decoded);
    else images.push(decoded);
  }
  return own.size === 0 ? { kind: 'decoded', images } : { kind: 'refused', reason: ANOTHER_REFUSED, own };
}

/** The image, or why it is none. */
function decodeImage({ flaw, mediaType, data }: ImagePiece, maxImageBytes: number): ImageInput | string {
  if (flaw !== undefined) return flaw;
  if (!isImageMediaType(mediaType)) return `its type is none of ${IMAGE_MEDIA_TYPES.join(', ')}`;
  const length = decodedLength(data);
  if (length > maxImageBytes) return `it has ${length} bytes, more than the ${maxImageBytes} of maxImageBytes`;
  const bytes = Buffer.from(data, 'base64');
  // Node's decoder forgives white space, the other alphabet, missing padding and stray bits; only a round trip is strict.
  if (bytes.toString('base64') !== data) return 'its data is not canonical base64';
  const actual = sniffImageType(bytes);
  if (actual === mediaType) return { mediaType, data: ownBytes(bytes) };
  return actual === undefined ? 'its bytes are no PNG, JPEG, WebP or GIF' : `its bytes are ${actual}`;
}

/** Bytes that this much canonical base64 stands for. */
function decodedLength(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor((data.length * 3) / 4) - padding;
}

/** The bytes in memory of their own: small buffers share Node's pool, and a store may look at the whole of it. */
function ownBytes(bytes: Buffer): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : Uint8Array.from(bytes);
}

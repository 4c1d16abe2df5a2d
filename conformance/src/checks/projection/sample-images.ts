/**
 * Whole images of every kind that a model may be shown, each as often as wanted with bytes of its own: a store may
 * decode them, and a payload that leaks is told from every other.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The kinds (S43). */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
/** One kind. */
export type ImageType = (typeof IMAGE_TYPES)[number];

/** One pixel each. */
const BASE: Readonly<Record<ImageType, Buffer>> = {
  'image/png': Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCA05RTSgAAAABJRU5ErkJggg==', 'base64'),
  'image/jpeg': Buffer.from(
    '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
    'base64',
  ),
  'image/webp': Buffer.from('UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAdQrSYUuf+BiOh/AAA=', 'base64'),
  'image/gif': Buffer.from('R0lGODlhAQABAIAAAExpcQlayCH5BAUAAAAALAAAAAABAAEAAAICTAEAOw==', 'base64'),
};

/** How each kind holds a comment. */
const COMMENTED: Readonly<Record<ImageType, (base: Buffer, text: Buffer) => Buffer>> = {
  'image/png': (base, text) => insert(base, 33, pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0', 'latin1'), text]))),
  'image/jpeg': (base, text) => insert(base, 2, Buffer.concat([Buffer.from([0xff, 0xfe]), uint16(text.length + 2), text])),
  'image/webp': webpChunk,
  'image/gif': (base, text) => insert(base, base.length - 1, Buffer.concat([Buffer.from([0x21, 0xfe]), ...gifBlocks(text), Buffer.from([0])])),
};

/** Letters of the comment in an image: four times as many as a leak is found by. */
const COMMENT_LETTERS = 256;

/**
 * An image with bytes of its own.
 * @param words what makes it unlike any other
 * @param letters length of the comment in it, which is most of its size in bytes
 */
export function imageBytes(type: ImageType, words: string, letters = COMMENT_LETTERS): Buffer {
  const comment = `${words}.`.repeat(Math.ceil(letters / (words.length + 1))).slice(0, letters);
  return COMMENTED[type](BASE[type], Buffer.from(comment, 'latin1'));
}

/** An image as a block of a result. */
export function imageBlock(type: ImageType, words: string, letters?: number): { readonly type: 'image'; readonly mimeType: string; readonly data: string } {
  return { type: 'image', mimeType: type, data: imageBytes(type, words, letters).toString('base64') };
}

/** The digest by which a store and a view name some bytes. */
export function digestOf(base64: string): string {
  return createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
}

function insert(whole: Buffer, at: number, part: Buffer): Buffer {
  return Buffer.concat([whole.subarray(0, at), part, whole.subarray(at)]);
}

function pngChunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** At most 255 bytes each, with their number before them. */
function gifBlocks(text: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < text.length; at += 255) {
    const part = text.subarray(at, at + 255);
    blocks.push(Buffer.from([part.length]), part);
  }
  return blocks;
}

/** A chunk of a kind that readers pass over, behind the pixels. */
function webpChunk(base: Buffer, text: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const whole = Buffer.concat([base, Buffer.from('note', 'latin1'), size, text, Buffer.alloc(text.length % 2)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

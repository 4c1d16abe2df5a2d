/** Whole images of every kind that a model may be shown, each as often as wanted with bytes of its own. */
import { crc32 } from 'node:zlib';
import type { JsonObject } from '../../src/host-services.ts';
import type { ImageMediaType } from '../../src/image-type.ts';

/** One pixel each; every decoder takes them. */
const BASE: Readonly<Record<ImageMediaType, Buffer>> = {
  'image/png': Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoBwAAgQCA05RTSgAAAABJRU5ErkJggg==', 'base64'),
  'image/jpeg': Buffer.from(
    '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
    'base64',
  ),
  'image/webp': Buffer.from('UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAdQrSYUuf+BiOh/AAA=', 'base64'),
  'image/gif': Buffer.from('R0lGODlhAQABAIAAAExpcQlayCH5BAUAAAAALAAAAAABAAEAAAICTAEAOw==', 'base64'),
};

/** The types, in a fixed order. */
export const TYPES: readonly ImageMediaType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** An image with a comment in it, so that its bytes are unlike those of any other. */
export function imageBytes(mediaType: ImageMediaType, comment = ''): Buffer {
  const base = BASE[mediaType];
  return comment === '' ? base : COMMENT[mediaType](base, Buffer.from(comment, 'latin1'));
}

/** How each kind holds a comment of up to 255 characters. */
const COMMENT: Readonly<Record<ImageMediaType, (base: Buffer, text: Buffer) => Buffer>> = {
  'image/png': (base, text) => insert(base, 33, pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0', 'latin1'), text]))),
  'image/jpeg': (base, text) => insert(base, 2, Buffer.concat([Buffer.from([0xff, 0xfe]), uint16(text.length + 2), text])),
  'image/webp': webpWith,
  'image/gif': (base, text) => insert(base, base.length - 1, Buffer.concat([Buffer.from([0x21, 0xfe, text.length]), text, Buffer.from([0])])),
};

/** An image as a block of a result. */
export function imageBlock(mediaType: ImageMediaType, comment = ''): JsonObject {
  return { type: 'image', mimeType: mediaType, data: imageBytes(mediaType, comment).toString('base64') };
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

/** A chunk of a kind that readers pass over, behind the pixels. */
function webpWith(base: Buffer, text: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const chunk = Buffer.concat([Buffer.from('note', 'latin1'), size, text, Buffer.alloc(text.length % 2)]);
  const whole = Buffer.concat([base, chunk]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

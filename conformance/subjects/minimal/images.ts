/**
 * Images of a result, where the host has a store for them and the model sees: all are shown at their places, or none of them
 * is and each leaves words (PROJECTION-020 to -029).
 */
import { createHash } from 'node:crypto';
import type { CallReply } from 'mcp-bridge-conformance/adapter';
import { isObject, type JsonObject } from './json.ts';
import { textOfResult, textsOf } from './projection.ts';

/** An image as its bytes. */
export interface Picture {
  readonly mediaType: string;
  readonly sha256: string;
}

/** What a host does for images. */
export interface Gallery {
  /** Whether images can be stored, and the model of this call takes them. */
  isWanted(signal: AbortSignal): Promise<boolean>;
  /** Stores a batch, whole. Rejects when it does not. */
  store(pictures: readonly Picture[]): Promise<void>;
}

const TYPES = new Set<unknown>(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/** What a model sees of a result that may have images. @throws when the call was given up meanwhile */
export async function viewOf(content: unknown, gallery: Gallery, signal: AbortSignal): Promise<CallReply['view']> {
  const blocks = Array.isArray(content) ? (content as unknown[]) : [];
  const pictures = blocks.map((block) => (isImage(block) ? pictureOf(block) : undefined));
  const due = blocks.filter(isImage).length;
  const good = pictures.filter((picture) => picture !== undefined);
  if (due === 0 || good.length < due || !(await isStored(good, gallery, signal))) return [{ type: 'text', text: textOfResult(content) }];
  return textsOf(content).map((text, at): CallReply['view'][number] => {
    const picture = pictures[at];
    return picture === undefined ? { type: 'text', text } : { type: 'image', ...picture };
  });
}

function isImage(block: unknown): block is JsonObject {
  return isObject(block) && block['type'] === 'image';
}

/** An image of a type that is shown, in base64 that could be written in no other way. */
function pictureOf({ data, mimeType: mediaType }: JsonObject): Picture | undefined {
  if (typeof data !== 'string' || typeof mediaType !== 'string' || !TYPES.has(mediaType)) return undefined;
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== data) return undefined;
  return { mediaType, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function isStored(pictures: readonly Picture[], gallery: Gallery, signal: AbortSignal): Promise<boolean> {
  const isWanted = await gallery.isWanted(signal).catch(() => false);
  signal.throwIfAborted();
  if (!isWanted) return false;
  const isTaken = await gallery.store(pictures).then(() => true, () => false);
  signal.throwIfAborted();
  return isTaken;
}

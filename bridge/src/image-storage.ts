/**
 * Stores one batch of images in one ordered call (S43).
 * @module
 */
import { describeError } from './errors.ts';
import type { AttachmentStore, ImageInput, ImageReference } from './host-services.ts';
import { refuseImages, type ServiceRefusal } from './image-batch.ts';
import { waitAtMost } from './image-wait.ts';
import { isRecord } from './json-shape.ts';

/** What storing needs. */
export interface StorageInput {
  readonly store: AttachmentStore;
  /** In the order of the result. */
  readonly images: readonly ImageInput[];
  /** Bound of the store's answer, milliseconds. */
  readonly imageStoreTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** References in the order of the images, or why there are none. */
export type Storage = { readonly kind: 'stored'; readonly references: readonly ImageReference[] } | ServiceRefusal;

/**
 * Codes of stores that refuse the images themselves rather than fail: that of the embedded host, and those of the
 * DeepSeek Harness. Such messages are made to be shown; they say what a smaller or another image would change.
 */
const REFUSAL_CODES: ReadonlySet<unknown> = new Set([
  'image-invalid', 'TOO_MANY_IMAGES', 'IMAGES_TOO_LARGE', 'UNSUPPORTED_IMAGE_TYPE', 'INVALID_IMAGE', 'IMAGE_TYPE_MISMATCH', 'IMAGE_TOO_LARGE',
  'IMAGE_TOO_MANY_PIXELS', 'IMAGE_DIMENSION_TOO_LARGE',
]);

/** Stores. Never rejects; what it says after an abort is not looked at. */
export async function storeImages({ store, images, imageStoreTimeoutMs: timeoutMs, signal }: StorageInput): Promise<Storage> {
  const answer = await waitAtMost(() => store.saveImages(images), { timeoutMs, signal });
  if (answer.kind === 'aborted') return refuseImages('the call was aborted');
  if (answer.kind === 'failed') return failure(answer.error);
  if (answer.kind === 'timed-out') return failure(`no answer within the ${timeoutMs} ms of imageStoreTimeoutMs`);
  const references = readReferences(answer.value, images.length);
  return references === undefined ? failure(`it answered ${images.length} images with something other than ${images.length} references`) : { kind: 'stored', references };
}

/** The model is told why only by a store that refuses; what a failing one says may name paths of the host. */
function failure(fault: unknown): ServiceRefusal {
  if (fault instanceof Error && 'code' in fault && REFUSAL_CODES.has(fault.code)) return refuseImages(`the attachment store refused the images: ${describeError(fault)}`);
  return { ...refuseImages('the attachment store failed'), fault };
}

/** As many references as there were images, each a plain copy, or `undefined`. */
function readReferences(answer: unknown, count: number): readonly ImageReference[] | undefined {
  if (!Array.isArray(answer) || answer.length !== count) return undefined;
  // Unlike `map`, this visits holes too.
  const references = Array.from(answer, readReference);
  return references.every((reference) => reference !== undefined) ? references : undefined;
}

/** Through text, so that it is JSON, which every host's content is, and the store cannot change it any more. */
function readReference(reference: unknown): ImageReference | undefined {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(reference));
    return isRecord(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

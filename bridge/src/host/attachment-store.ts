/**
 * The attachment store of the embedded host, `ctx.attachments`: images in a folder, named by the SHA-256 of their
 * bytes. Usable without any Cordis.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AttachmentStore, ImageInput } from '../host-services.ts';
import { describeError } from '../errors.ts';
import { HostError } from './host-error.ts';
import { sniffImageType, type ImageMediaType } from '../image-type.ts';

/** Reference to one stored image: what a conversation keeps instead of the bytes. */
export interface StoredImageReference {
  /** `sha256:` and the digest. */
  readonly attachmentId: string;
  /** Told by the bytes. */
  readonly mediaType: ImageMediaType;
  /** Length of the encoded image. */
  readonly bytes: number;
  /** Lower-case hex digest of the bytes. */
  readonly sha256: string;
  readonly [key: string]: unknown;
}

/** Options of a store. */
export interface AttachmentStoreOptions {
  /** The folder; it is made when the first image is stored. */
  readonly directory: string;
  /** Largest image, default 20 MiB: about what model APIs accept at most. */
  readonly maxImageBytes?: number;
  /** Images in one batch, default 100. */
  readonly maxImages?: number;
}

/** One image on its way into the store. */
interface Admitted {
  readonly data: Uint8Array;
  readonly reference: StoredImageReference;
}

/** Stores images durably, each content once; a damaged file is replaced when its image comes again. */
export class LocalAttachmentStore implements AttachmentStore {
  readonly #directory: string;
  readonly #maxImageBytes: number;
  readonly #maxImages: number;

  constructor(options: AttachmentStoreOptions) {
    this.#directory = path.resolve(options.directory);
    this.#maxImageBytes = options.maxImageBytes ?? 20 * 1024 * 1024;
    this.#maxImages = options.maxImages ?? 100;
  }

  /**
   * Stores a whole batch and gives references in its order, or stores nothing (S43). All images are checked and
   * written to temporary files first, and get their names together at the end; a reader never sees half an image.
   * Should naming fail in the middle, those already named stay, unreferenced and harmless: another batch may by then
   * rely on them.
   * @throws HostError `image-invalid`, `store-failed`.
   */
  async saveImages(inputs: readonly ImageInput[]): Promise<readonly StoredImageReference[]> {
    if (inputs.length > this.#maxImages) {
      throw new HostError('image-invalid', `${inputs.length} images are more than the ${this.#maxImages} of one batch; store fewer or raise maxImages`);
    }
    const admitted = inputs.map((input, index) => this.#admit(input, index));
    await this.#write(admitted);
    return admitted.map(({ reference }) => reference);
  }

  /**
   * Reads an image back and checks that it is what was stored.
   * @throws HostError `image-unreadable`, or the reason of `signal`.
   */
  async readImage(reference: { readonly sha256?: string }, signal?: AbortSignal): Promise<{ ref: StoredImageReference; data: Uint8Array }> {
    const sha256 = String(reference.sha256);
    // The digest becomes a path: nothing else may get in.
    if (!/^[0-9a-f]{64}$/.test(sha256)) {
      throw new HostError('image-unreadable', 'the reference has no SHA-256 of 64 lower-case hex digits; use one that saveImages gave');
    }
    let data: Uint8Array;
    try {
      data = await readFile(this.#pathOf(sha256), { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw new HostError('image-unreadable', `the image ${sha256} cannot be read from ${this.#directory}: ${describeError(error)}`, { cause: error });
    }
    const ref = referenceTo(data);
    if (ref?.sha256 !== sha256) {
      throw new HostError('image-unreadable', `the file of image ${sha256} was changed after it was stored; restore it or remove it`);
    }
    return { ref, data };
  }

  #admit({ data, mediaType }: ImageInput, index: number): Admitted {
    const where = `image ${index + 1}`;
    if (data.byteLength > this.#maxImageBytes) {
      throw new HostError('image-invalid', `${where} has ${data.byteLength} bytes, more than ${this.#maxImageBytes}; send a smaller one or raise maxImageBytes`);
    }
    // A copy: the caller may change its bytes while they are being written.
    const own = Uint8Array.from(data);
    const reference = referenceTo(own);
    if (reference === undefined) throw new HostError('image-invalid', `${where} is no PNG, JPEG, WebP or GIF`);
    if (reference.mediaType !== mediaType) {
      throw new HostError('image-invalid', `${where} is said to be ${mediaType} and is ${reference.mediaType}`);
    }
    return { data: own, reference };
  }

  async #write(admitted: readonly Admitted[]): Promise<void> {
    const written: { readonly temporary: string; readonly final: string }[] = [];
    try {
      for (const { data, reference } of new Map(admitted.map((each) => [each.reference.sha256, each])).values()) {
        const final = this.#pathOf(reference.sha256);
        if (await holds(final, data)) continue;
        await mkdir(path.dirname(final), { recursive: true });
        const temporary = `${final}.${randomUUID()}.tmp`;
        written.push({ temporary, final });
        await writeDurably(temporary, data);
      }
      for (const { temporary, final } of written) await rename(temporary, final);
      for (const folder of new Set(written.map(({ final }) => path.dirname(final)))) await syncFolder(folder);
    } catch (error) {
      await Promise.allSettled(written.map(({ temporary }) => rm(temporary)));
      throw new HostError('store-failed', `the images cannot be written to ${this.#directory}: ${describeError(error)}`, { cause: error });
    }
  }

  /** Two levels, so that no folder grows without end. */
  #pathOf(sha256: string): string {
    return path.join(this.#directory, sha256.slice(0, 2), sha256);
  }
}

function referenceTo(data: Uint8Array): StoredImageReference | undefined {
  const mediaType = sniffImageType(data);
  if (mediaType === undefined) return undefined;
  const sha256 = createHash('sha256').update(data).digest('hex');
  return Object.freeze({ attachmentId: `sha256:${sha256}`, mediaType, bytes: data.byteLength, sha256 });
}

/** Whether a file has exactly these bytes. */
async function holds(file: string, data: Uint8Array): Promise<boolean> {
  try {
    return (await readFile(file)).equals(data);
  } catch {
    return false;
  }
}

/** The names of new files are on the disk as well, as far as the platform lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The bytes are on the disk before the file gets its name. */
async function writeDurably(file: string, data: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

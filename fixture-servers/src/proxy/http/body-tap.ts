import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';

/** Sees the plain bytes of a body that goes by, whatever its encoding. */
export interface BodyTap {
  write(chunk: Buffer): void;
  /** The body has ended: resolves when everything was seen. */
  end(): Promise<void>;
}

/** Makes a tap for a `content-encoding`. Of an unknown one, or one that is broken, nothing more is seen. `maxBytes` bounds what is unpacked. */
export function createBodyTap(encoding: string | undefined, maxBytes: number, look: (chunk: Buffer) => void): BodyTap {
  const unpack = unpacker(encoding);
  if (unpack === undefined) {
    return { write: isPlain(encoding) ? look : nothing, end: () => Promise.resolve() };
  }
  let seen = 0;
  let broken = false;
  const done = new Promise<void>((resolve) => {
    unpack.on('end', resolve);
    unpack.on('close', resolve);
    unpack.on('error', () => {
      broken = true;
      resolve();
    });
  });
  unpack.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    if (seen <= maxBytes) look(chunk);
    else unpack.destroy();
  });
  return {
    write(chunk) {
      if (!broken && !unpack.destroyed) unpack.write(chunk);
    },
    async end() {
      unpack.end();
      await done;
    },
  };
}

function unpacker(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || /^(identity)?$/i.test(encoding.trim());
}

function nothing(): void {
  // An encoding that cannot be read is passed on all the same.
}

import { close, write } from 'node:fs';
import { Writable } from 'node:stream';
import { systemErrorCode } from '../system-error.ts';

/** How long to wait when a descriptor that somebody else made non-blocking takes nothing, in milliseconds. */
const RETRY_MS = 2;

/**
 * A stream over a descriptor of this process that can be closed alone. Unlike `process.stdout` a slow reader holds up
 * this stream only, not the process, and unlike a socket it leaves the flags of the descriptor alone, which others may share.
 */
export function createFdOutput(fd: number): Writable {
  const writeAll = (chunk: Buffer, at: number, done: (error?: Error | null) => void): void => {
    write(fd, chunk, at, chunk.length - at, null, (error, written) => {
      if (error !== null && systemErrorCode(error) === 'EAGAIN') setTimeout(writeAll, RETRY_MS, chunk, at, done);
      else if (error !== null) done(error);
      else if (at + written < chunk.length) writeAll(chunk, at + written, done);
      else done();
    });
  };
  return new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      writeAll(chunk, 0, done);
    },
    writev(chunks, done) {
      writeAll(Buffer.concat(chunks.map(({ chunk }: { chunk: Buffer }) => chunk)), 0, done);
    },
    destroy(error, done) {
      close(fd, () => done(error));
    },
  });
}

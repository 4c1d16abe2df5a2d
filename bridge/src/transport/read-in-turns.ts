/** Reads a pipe that a peer may fill without end, and leaves the host its share of the time (B08, B19). */
import type { Readable } from 'node:stream';
import { PIECE_SIZE, Turn } from './turn.ts';

/**
 * Hands over what comes, in pieces. When that has taken long, timers and other servers come first, and the pipe after them: a
 * server that floods a pipe with short lines would otherwise have the loop read up to a million of them at once, since Node
 * reads up to 32 chunks of a pipe before it looks at anything else.
 * @param now a clock, milliseconds
 */
export function readInTurns(pipe: Readable, onPiece: (piece: Buffer) => void, now?: () => number): void {
  const turn = new Turn(now);
  pipe.on('data', (chunk: Buffer) => {
    turn.begin();
    for (let from = 0; from < chunk.length; from += PIECE_SIZE) {
      onPiece(chunk.subarray(from, from + PIECE_SIZE));
      if (!turn.isOver()) continue;
      pipe.pause();
      pipe.unshift(chunk.subarray(from + PIECE_SIZE));
      setImmediate(() => pipe.resume());
      return;
    }
  });
}

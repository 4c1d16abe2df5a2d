/** Reads a pipe that a peer may fill without end, and leaves the host its share of the time (B08, B19). */
import type { Readable } from 'node:stream';

/** Longest work on one pipe before everything else has its turn, milliseconds; a pipe brings some thousand chunks a second. */
const TURN_MS = 10;
/** What is handed over before the clock is looked at, bytes: a chunk of 64 KiB may hold 32 768 lines that cost microseconds each. */
const PIECE_BYTES = 4_096;

/**
 * Hands over what comes, in pieces. When that has taken long, timers and other servers come first, and the pipe after them: a
 * server that floods a pipe with short lines would otherwise have the loop read up to a million of them at once, since Node
 * reads up to 32 chunks of a pipe before it looks at anything else.
 * @param now a clock, milliseconds
 */
export function readInTurns(pipe: Readable, onPiece: (piece: Buffer) => void, now: () => number = () => performance.now()): void {
  let turnBeganMs = 0;
  let lastWorkMs = Number.NEGATIVE_INFINITY;
  pipe.on('data', (chunk: Buffer) => {
    const beganMs = now();
    // Where chunks follow each other, all of them are one turn.
    if (beganMs - lastWorkMs >= TURN_MS) turnBeganMs = beganMs;
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      onPiece(chunk.subarray(from, from + PIECE_BYTES));
      lastWorkMs = now();
      if (lastWorkMs - turnBeganMs < TURN_MS) continue;
      lastWorkMs = Number.NEGATIVE_INFINITY;
      pipe.pause();
      if (from + PIECE_BYTES < chunk.length) pipe.unshift(chunk.subarray(from + PIECE_BYTES));
      setImmediate(() => pipe.resume());
      return;
    }
  });
}

/** Reads a pipe that a peer may fill without end, and leaves the host its share of the time (B08, B19). */
import type { Readable } from 'node:stream';

/** Longest work on one pipe before everything else has its turn, milliseconds; a pipe brings some hundred chunks a second. */
const TURN_MS = 10;

/**
 * Hands over each chunk. When that took long, timers and other servers come first, and the pipe after them: a server that
 * floods its stdout with short lines would otherwise have the loop read up to a million of them at once.
 * @param now a clock, milliseconds
 */
export function readInTurns(pipe: Readable, onChunk: (chunk: Buffer) => void, now: () => number = () => performance.now()): void {
  pipe.on('data', (chunk: Buffer) => {
    const begun = now();
    onChunk(chunk);
    if (now() - begun < TURN_MS) return;
    pipe.pause();
    setImmediate(() => pipe.resume());
  });
}

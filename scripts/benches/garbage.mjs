// The collector, at hand without a flag on the command line.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** @type {unknown} */
const collect = runInNewContext('gc');
const BYTES_PER_MB = 1_000_000;

/** Collects everything that is out of reach. */
export function collectGarbage() {
  if (typeof collect === 'function') collect();
}

/** What is in reach, in MB. */
export function heapMb() {
  collectGarbage();
  return process.memoryUsage().heapUsed / BYTES_PER_MB;
}

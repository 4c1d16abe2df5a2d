/**
 * A thread that watches the event loop of its process, and kills the process when that stands still: from inside it cannot be
 * timed out, and from outside it cannot be told from one that waits.
 */
import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { readAsked } from './asked-of-subject.ts';
import type { BlockWatch } from './run-notes.ts';

const { beats, beatMs, limit, noteFile, asked }: BlockWatch = workerData;
const count = new Int32Array(beats);
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

let last = -1;
// Rounds are counted, not time: a machine that slept is no subject that blocked.
let missed = 0;
for (;;) {
  Atomics.wait(never, 0, 0, beatMs);
  const now = Atomics.load(count, 0);
  missed = now === last ? missed + 1 : 0;
  last = now;
  if (missed > limit) {
    writeFileSync(noteFile, readAsked(asked));
    process.kill(process.pid, 'SIGKILL');
  }
}

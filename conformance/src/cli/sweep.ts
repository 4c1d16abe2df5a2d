/**
 * Nothing outlives a run: what a worker that died left behind, drivers and servers, is found by a marker in its environment.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { killTree, markedBy } from '../adapter/process-tree.ts';
import { RUN_MARKER } from '../runner/subject-way.ts';

/** How long what is left may take to end by itself, in milliseconds: a driver whose input ended closes its bridge. */
const GRACE_MS = 10_000;
/** Between two looks, in milliseconds. */
const LOOK_EVERY_MS = 50;

/** Marks the environment of this process, so that everything started from now on can be found. @returns the marker */
export function markRun(): string {
  const id = randomUUID();
  process.env[RUN_MARKER] = id;
  return `${RUN_MARKER}=${id}`;
}

/** Waits until no marked process is left, and kills what does not end in time. Where there is no /proc nothing is found. */
export async function sweep(marker: string, graceMs = GRACE_MS): Promise<void> {
  const untilMs = performance.now() + graceMs;
  for (;;) {
    const left = markedBy(marker).filter((pid) => pid !== process.pid);
    if (left.length === 0) return;
    if (performance.now() >= untilMs) {
      for (const pid of left) killTree({ pid, marker });
      return;
    }
    await wait(LOOK_EVERY_MS);
  }
}

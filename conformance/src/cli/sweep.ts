/**
 * Nothing outlives a run: what a worker that died left behind, drivers and servers, is found by a marker in its environment.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { killTree } from '../adapter/process-tree.ts';
import { RUN_MARKER } from '../runner/run-marker.ts';
import { Census } from './census.ts';

/** How long what is left may take, in milliseconds. */
export interface Graces {
  /** To end by itself: a driver whose input ended closes its bridge. */
  readonly endMs: number;
  /** After SIGTERM, which then comes; then it is killed. `undefined`: it is killed without one. */
  readonly termMs?: number;
}

/** After a run that came to its end: whatever is left then is a defect of somebody. */
const ORDERLY: Graces = { endMs: 10_000 };
/** Between two looks, in milliseconds. */
const LOOK_EVERY_MS = 50;

/** Marks the environment of this process, so that everything started from now on can be found. @returns the marker */
export function markRun(): string {
  const id = randomUUID();
  process.env[RUN_MARKER] = id;
  return `${RUN_MARKER}=${id}`;
}

/** Waits until nothing of a run is left, and kills what does not end in time. Where there is no /proc nothing is found. */
export async function sweep(marker: string, { endMs, termMs }: Graces = ORDERLY): Promise<void> {
  const census = new Census(marker);
  if (await isEmptyWithin(census, endMs)) return;
  if (termMs !== undefined) {
    for (const pid of census.roots()) signal(pid, 'SIGTERM');
    if (await isEmptyWithin(census, termMs)) return;
  }
  for (const pid of census.look()) killTree({ pid, marker });
}

async function isEmptyWithin(census: Census, boundMs: number): Promise<boolean> {
  const untilMs = performance.now() + boundMs;
  for (;;) {
    if (census.look().length === 0) return true;
    if (performance.now() >= untilMs) return false;
    await wait(LOOK_EVERY_MS);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}

/**
 * Notes of a worker about the run it is in, for whoever finds the worker dead: a subject in the worker's own process may end it,
 * or keep it from ever coming back to the event loop, and then nothing else can be told.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { RunName } from './suite-settings.ts';

/** Between two signs of life of the event loop, in milliseconds. */
const BEAT_MS = 250;

/** What the thread that watches is given. */
export interface BlockWatch {
  /** One counter that the event loop raises. */
  readonly beats: SharedArrayBuffer;
  readonly beatMs: number;
  /** How many beats may be missed. */
  readonly limit: number;
  /** Written when the limit is passed, before the process is killed. */
  readonly noteFile: string;
}

/** A run during which a worker died. */
export interface DeadRun extends RunName {
  /** It was killed since it did not come back to the event loop; otherwise it ended by itself. */
  readonly blocked: boolean;
}

/** The notes of this process. */
export class RunNotes {
  readonly #file: string;

  /**
   * Begins to watch.
   * @param blockedMs how long the event loop may stand still before this process is killed
   */
  constructor(folder: string, blockedMs: number) {
    mkdirSync(folder, { recursive: true });
    this.#file = path.join(folder, `${process.pid}.run`);
    const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const count = new Int32Array(beats);
    setInterval(() => Atomics.add(count, 0, 1), BEAT_MS).unref();
    const workerData: BlockWatch = {
      beats, beatMs: BEAT_MS, limit: Math.ceil(blockedMs / BEAT_MS), noteFile: path.join(folder, `${process.pid}.blocked`),
    };
    new Worker(new URL('./block-watch.js', import.meta.url), { workerData }).unref();
  }

  /** A run begins. */
  enter({ check, target }: RunName): void {
    writeFileSync(this.#file, JSON.stringify({ check, target }));
  }

  /** It ended. */
  leave(): void {
    rmSync(this.#file, { force: true });
  }
}

const runName = z.object({ check: z.string(), target: z.enum(['fixture', 'server-everything', 'server-filesystem', 'sdk-http']) });

/** Runs during which a worker died; their notes are taken away. */
export function takeDeadRuns(folder: string): DeadRun[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const dead = names.filter((name) => name.endsWith('.run')).map((name): DeadRun => ({
    ...runName.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))),
    blocked: names.includes(name.replace(/run$/, 'blocked')),
  }));
  for (const name of names) rmSync(path.join(folder, name), { force: true });
  return dead;
}

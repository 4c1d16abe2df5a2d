/**
 * Notes of a worker about the run it is in, for whoever finds the worker dead: a subject in the worker's own process may end it,
 * or keep it from ever coming back to the event loop, and then nothing else can be told.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { AdapterError } from '../adapter/bridge-adapter.ts';
import { AskedOfSubject, roomForAsked } from './asked-of-subject.ts';
import type { RunName } from './suite-settings.ts';

/**
 * After so many runs in which a process of the subject died no more are begun: each may have cost the whole bound of a blocked
 * event loop, and all together must stay below five minutes on one worker.
 */
export const MAX_DEAD_RUNS = 10;

/** Between two signs of life of the event loop, in milliseconds. */
const BEAT_MS = 250;

/** What the thread that watches is given. */
export interface BlockWatch {
  /** One counter that the event loop raises. */
  readonly beats: SharedArrayBuffer;
  readonly beatMs: number;
  /** How many beats may be missed. */
  readonly limit: number;
  /** Written when the limit is passed, before the process is killed: with what was asked last. */
  readonly noteFile: string;
  readonly asked: SharedArrayBuffer;
}

/** A run during which a worker died. */
export interface DeadRun extends RunName {
  /** It was killed since it did not come back to the event loop; otherwise it ended by itself. */
  readonly blocked: boolean;
  /** What was asked of the subject last, where that is known. */
  readonly asked: readonly string[];
}

/** The notes of this process. */
export class RunNotes {
  readonly #folder: string;
  readonly #file: string;
  readonly #asked: AskedOfSubject;

  /**
   * Begins to watch.
   * @param blockedMs how long the event loop may stand still before this process is killed
   */
  constructor(folder: string, blockedMs: number) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
    this.#file = path.join(folder, `${process.pid}.run`);
    const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const count = new Int32Array(beats);
    setInterval(() => Atomics.add(count, 0, 1), BEAT_MS).unref();
    const room = roomForAsked();
    this.#asked = new AskedOfSubject(room);
    const workerData: BlockWatch = {
      asked: room, beats, beatMs: BEAT_MS, limit: Math.ceil(blockedMs / BEAT_MS), noteFile: path.join(folder, `${process.pid}.blocked`),
    };
    new Worker(new URL('./block-watch.js', import.meta.url), { workerData }).unref();
  }

  /**
   * A run begins.
   * @throws AdapterError `given-up` after {@link MAX_DEAD_RUNS}
   */
  enter({ check, target }: RunName): void {
    const dead = countDeadRuns(this.#folder);
    if (dead >= MAX_DEAD_RUNS) throw new AdapterError('given-up', `the process that the subject runs in died in ${dead} runs, so the rest is not tried`);
    this.#asked.clear();
    writeFileSync(this.#file, JSON.stringify({ check, target }));
  }

  /** Something was asked of the subject. */
  asked(what: string): void {
    this.#asked.add(what);
  }

  /** It ended. */
  leave(): void {
    rmSync(this.#file, { force: true });
  }
}

const runName = z.object({ check: z.string(), target: z.enum(['fixture', 'server-everything', 'server-filesystem', 'sdk-http']) });

/** Runs during which a worker died and that were not taken before. No worker may run meanwhile. */
export function takeDeadRuns(folder: string): DeadRun[] {
  const names = namesIn(folder);
  return names.filter((name) => name.endsWith('.run')).map((name): DeadRun => {
    const file = path.join(folder, name);
    const run = runName.parse(JSON.parse(readFileSync(file, 'utf8')));
    // It still counts.
    renameSync(file, file.replace(/run$/, 'dead'));
    const note = name.replace(/run$/, 'blocked');
    const blocked = names.includes(note);
    const asked = blocked ? readFileSync(path.join(folder, note), 'utf8').split('\n').filter((line) => line !== '') : [];
    return { ...run, blocked, asked };
  });
}

/** How many runs there were during which a worker died, taken or not. */
function countDeadRuns(folder: string): number {
  return namesIn(folder).filter((name) => name.endsWith('.dead') || (name.endsWith('.run') && !isAlive(Number.parseInt(name, 10)))).length;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

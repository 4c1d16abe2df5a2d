import { closeSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode } from '../system-error.ts';

/** The most processes one run folder counts: the largest bench crashes a server a thousand times. */
const MAX_INCARNATIONS = 1_000_000;

/**
 * Takes the next number of a run folder, from 1, for this process alone: each number is a file that only one process can
 * create. Without a folder every process is the first.
 * @throws Error of the file system, or when the folder is full.
 */
export function claimIncarnation(folder: string | undefined): number {
  if (folder === undefined) return 1;
  mkdirSync(folder, { recursive: true });
  for (let number = readdirSync(folder).length + 1; number <= MAX_INCARNATIONS; number += 1) {
    try {
      closeSync(openSync(join(folder, `incarnation-${number}`), 'wx'));
      return number;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
  }
  throw new Error(`the run folder ${folder} holds more than ${MAX_INCARNATIONS} incarnations; use a fresh one`);
}

import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemErrorCode } from '../system-error.ts';

/** The most processes one run folder counts: the largest bench crashes a server a thousand times. */
const MAX_INCARNATIONS = 1_000_000;

/** The files that count; whatever else lies in the folder does not. */
const INCARNATION = /^incarnation-\d+$/;

/**
 * Makes a run folder and tries that files can be created in it, so that a wrong one is refused before a client waits.
 * @throws Error of the file system.
 */
export function prepareRunFolder(folder: string): void {
  makeFolder(resolve(folder));
  rmdirSync(mkdtempSync(join(folder, 'probe-')));
}

/**
 * Takes the next number of a run folder, from 1, for this process alone: each number is a file that only one process can
 * create. Without a folder every process is the first.
 * @throws Error of the file system, or when the folder is full.
 */
export function claimIncarnation(folder: string | undefined): number {
  if (folder === undefined) return 1;
  makeFolder(resolve(folder));
  const taken = readdirSync(folder).filter((name) => INCARNATION.test(name)).length;
  for (let number = taken + 1; number <= MAX_INCARNATIONS; number += 1) {
    try {
      closeSync(openSync(join(folder, `incarnation-${number}`), 'wx'));
      return number;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
  }
  throw new Error(`the run folder ${folder} holds more than ${MAX_INCARNATIONS} incarnations; use a fresh one`);
}

/** One folder after the other: `recursive` tries for ever where the system has no such folder to give, as in /proc. */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const each of missing) {
    try {
      mkdirSync(each);
    } catch (error) {
      // Another process of the same run was faster.
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
  }
}

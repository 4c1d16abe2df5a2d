/**
 * Saves a whole run, small: what `analyze` judges again.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Check } from '../checks/check.ts';
import { stringifyExact } from '../history/exact-json.ts';
import { EventTable, SAVED_RUN_VERSION, type SavedRun } from '../history/saved-run.ts';
import type { RunResult } from '../runner/result.ts';
import type { Trial } from '../runner/trial.ts';
import { HISTORIES_FOLDER } from './save-history.ts';

/** Bytes of one run before it is packed; the longest of the reference's has 8 MB. A longer one is not saved, and says so. */
export const MAX_RUN_BYTES = 64 * 1024 * 1024;

/** The fastest: what it leaves is a tenth of the text, the smallest a fifteenth for five times the work. */
const COMPRESSION_LEVEL = 1;

const pack = promisify(gzip);

/** The certification that a run belongs to. */
export interface RunStamp {
  /** Version of the suite. */
  readonly suite: string;
  /** When it began, as the report says it. */
  readonly startedAt: string;
}

/** Where a run was saved, relative to the reports folder, or why not. */
export type SavedPlace = { readonly run: string } | { readonly runNotSaved: string };

/** Writes the run over the one that an earlier certification left. */
export async function saveRun(run: RunResult, trials: readonly Trial[], check: Check, stamp: RunStamp, reportsDir: string): Promise<SavedPlace> {
  const place = path.join(HISTORIES_FOLDER, `${run.check.replaceAll('/', '.')}.${run.target}.run.json.gz`);
  const file = path.join(reportsDir, place);
  const text = textOf(savedRunOf(run, trials, check, stamp));
  if (text === undefined) {
    await rm(file, { force: true });
    return { runNotSaved: `its histories have more than ${MAX_RUN_BYTES} bytes` };
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await pack(text, { level: COMPRESSION_LEVEL }));
  return { run: place };
}

/** What is saved of a run. */
export function savedRunOf(run: RunResult, trials: readonly Trial[], check: Check, stamp: RunStamp): SavedRun {
  const table = new EventTable();
  const saved = trials.map(({ role, labels, attempts }) => ({
    role,
    ...(labels === undefined ? {} : { labels: [...labels] }),
    attempts: attempts.map(({ history, ending }) => ({
      spans: table.spansOf(history),
      ...(ending.trouble === undefined ? {} : { trouble: ending.trouble }),
      ...(ending.overLimit === undefined ? {} : { overLimit: ending.overLimit }),
    })),
  }));
  return {
    run: SAVED_RUN_VERSION, check: run.check, target: run.target, seed: run.seed, suite: stamp.suite, startedAt: stamp.startedAt,
    ...(check.kind === 'property' ? { asked: check.runs } : {}), trials: saved, events: table.events,
  };
}

/** The text, or nothing when it is too long. */
function textOf(run: SavedRun): string | undefined {
  try {
    const text = stringifyExact(run);
    return Buffer.byteLength(text) > MAX_RUN_BYTES ? undefined : text;
  } catch (error) {
    // The longest text that the engine can hold is reached only far above the bound.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

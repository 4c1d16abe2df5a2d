/**
 * Saves what was observed, so that it can be looked at, attached and judged again without running anything.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HISTORY_VERSION, type History, type SavedHistory } from '../history/schema.ts';
import type { RunResult } from '../runner/result.ts';

/** The folder below the reports folder. */
export const HISTORIES_FOLDER = 'histories';

/** How a run came about, for its replay. */
export interface HowItRan {
  /** The subject as the command line named it. */
  readonly subject?: string | undefined;
  /** The text of the case file that was replayed. */
  readonly caseText?: string | undefined;
}

/** Writes the histories of one run. @returns their paths, relative to the reports folder. */
export async function saveHistories(run: Pick<RunResult, 'check' | 'target' | 'seed' | 'path' | 'counterexample' | 'history' | 'again'>, reportsDir: string, { subject, caseText }: HowItRan = {}): Promise<string[]> {
  const folder = path.join(reportsDir, HISTORIES_FOLDER);
  await mkdir(folder, { recursive: true });
  const name = `${run.check.replaceAll('/', '.').replaceAll(' ', '-')}.${run.target}.${run.seed}`;
  const all: readonly (readonly [string, History | undefined])[] = [[name, run.history], [`${name}.again`, run.again]];
  const saved: string[] = [];
  for (const [base, events] of all) {
    if (events === undefined) continue;
    const file = path.join(HISTORIES_FOLDER, `${base}.json`);
    const content: SavedHistory = {
      history: HISTORY_VERSION, check: run.check, target: run.target, seed: run.seed,
      ...(run.path === undefined ? {} : { path: run.path }),
      ...(run.counterexample === undefined ? {} : { input: run.counterexample }),
      ...(subject === undefined ? {} : { subject }),
      ...(caseText === undefined ? {} : { case: caseText }),
      events: [...events],
    };
    await writeFile(path.join(reportsDir, file), `${JSON.stringify(content, jsonOnly, 1)}\n`);
    saved.push(file);
  }
  return saved;
}

/** An input of a property may hold what JSON does not know. */
function jsonOnly(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function' ? String(value) : value;
}

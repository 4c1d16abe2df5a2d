/**
 * The case file of a failure: written from what the check did and saw, and tried once before it is kept, so that what is
 * printed is known to fail.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatCase, parseCase, ScenarioError } from 'mcp-fixture-server';
import { CASE_TRIAL_MS } from '../runner/limits.ts';
import type { RunResult } from '../runner/result.ts';
import type { SubjectWorker } from '../runner/subject-worker.ts';
import { caseOfHistory } from './derive/from-history.ts';
import { tryCase } from './run-case.ts';

/** The folder below the reports folder. */
export const CASES_FOLDER = 'cases';
/** How long cases are tried in one process altogether, in milliseconds: a bridge that fails everywhere must not cost hours. */
const ALL_TRIALS_MS = 90_000;

let spentMs = 0;

/** The case of a failure: its file, relative to the reports folder, and whether it was tried; or why there is none. */
export type KeptCase = { readonly file: string; readonly tried: boolean } | { readonly reason: string };

/**
 * Writes the case of a failed run.
 * @param worker operates the subject, for the trial
 */
export async function keepCase(run: RunResult, reportsDir: string, worker: SubjectWorker): Promise<KeptCase> {
  if (run.history === undefined || run.target !== 'fixture') return { reason: 'a real server took part, which no script tells of' };
  const derived = caseOfHistory(run.history, { check: run.check, invariant: run.invariant });
  if ('reason' in derived) return derived;
  const file = path.join(CASES_FOLDER, `${run.check.replaceAll('/', '.')}.yaml`);
  let text: string;
  try {
    text = formatCase(derived.case, [`Written by mcp-bridge-conformance when ${run.check} failed, seed ${run.seed}:`, ...run.message.split('\n').map((line) => `  ${line}`)]);
  } catch (error) {
    if (error instanceof ScenarioError) return { reason: `what the check did is more than a case can say: ${error.message.split('\n', 1)[0] ?? ''}` };
    throw error;
  }
  const tried = spentMs < ALL_TRIALS_MS;
  if (tried) {
    const startedAtMs = performance.now();
    const again = await tryCase(parseCase(text), run.invariant, worker, { seed: run.seed, limitMs: CASE_TRIAL_MS }).catch(() => undefined);
    spentMs += performance.now() - startedAtMs;
    if (again?.verdict !== 'fail') return { reason: 'its steps alone, without the code of the check, did not fail again' };
  }
  await mkdir(path.join(reportsDir, CASES_FOLDER), { recursive: true });
  await writeFile(path.join(reportsDir, file), text);
  return { file, tried };
}

/**
 * Runs one case in a process of its own, since a subject may never come back to the event loop, and because the case may
 * add to the environment in which a bridge is made.
 */
import path from 'node:path';
import { isAdapterError } from '../adapter/bridge-adapter.ts';
import type { Level, SubjectDescription } from '../adapter/messages.ts';
import { summarizeCase } from '../cases/report-case.ts';
import { runCase } from '../cases/run-case.ts';
import type { RunSummary } from '../runner/result.ts';
import { factoryOf } from '../runner/subject-way.ts';
import { SubjectWorker } from '../runner/subject-worker.ts';
import { caseText, readCase } from './case-source.ts';
import { wayTo } from './subject.ts';

/** What the child is told. */
export interface CaseTask {
  /** The case file. */
  readonly path: string;
  /** The subject, as one word. */
  readonly subject: string;
  readonly seed: number;
  readonly reports: string;
  readonly replay: string;
  readonly levels?: readonly Level[];
}

/** What it tells. */
export type CaseTold =
  | { readonly subject: SubjectDescription; readonly runs: readonly RunSummary[] }
  /** The way to the subject is wrong: no verdict. */
  | { readonly error: string };

async function runHere(task: CaseTask): Promise<CaseTold> {
  let worker: SubjectWorker | undefined;
  try {
    worker = new SubjectWorker(await factoryOf(wayTo(task.subject)));
    const { subject } = await worker.live();
    const file = readCase(task.path);
    const startedAt = performance.now();
    const result = await runCase(file, worker, { seed: task.seed, ...(task.levels === undefined ? {} : { levels: task.levels }) });
    const durationMs = Math.round(performance.now() - startedAt);
    const reportsDir = path.resolve(task.reports);
    return { subject, runs: await summarizeCase(file, result, { seed: task.seed, durationMs, reportsDir, subject: task.subject, caseText: caseText(task.path), replay: task.replay }) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { error: isAdapterError(error) ? text : `the case could not be run: ${text}` };
  } finally {
    await worker?.end();
  }
}

process.once('message', (task: CaseTask) => {
  void runHere(task).then((told) => process.send?.(told, () => process.disconnect()));
});
// Nobody is left to tell.
process.once('disconnect', () => process.exit(1));

/**
 * From a run with its histories to what reports hold: histories are saved, and the failure text is made.
 */
import path from 'node:path';
import { keepCase, type KeptCase } from '../cases/keep-case.ts';
import { failureText, type FailureCase } from '../reporters/failure-text.ts';
import { saveHistories } from '../reporters/save-history.ts';
import { saveRun, type RunStamp } from '../reporters/save-run.ts';
import type { Plan } from './applicability.ts';
import type { RunResult, RunSummary } from './result.ts';
import type { SubjectWorker } from './subject-worker.ts';

/** Where reports go and how a replay is spelled. */
export interface ReportingOptions {
  /** Folder for histories; `undefined` saves none. */
  readonly reportsDir: string | undefined;
  /** The subject as the command line named it. */
  readonly subject?: string;
  /** One command that replays a run. */
  readonly replayCommand: (run: RunSummary) => string;
  /** One command that runs a case file; default: the command line's, with the subject as it was named. */
  readonly caseCommand?: (file: string) => string;
  /** The certification for which whole runs are saved, for `analyze`; default: none are. */
  readonly saveRuns?: RunStamp;
}

/**
 * The summary; a run that failed or stayed in doubt gets its text, and its histories are saved for a person.
 * @param worker operates the subject: a failure is also written as a case, which is tried
 */
export async function summarize(plan: Plan, run: RunResult, options: ReportingOptions, worker?: SubjectWorker): Promise<RunSummary> {
  const { history: _history, again: _again, evidence: _evidence, trials, ...summary } = run;
  const { reportsDir, saveRuns } = options;
  const place = trials === undefined || saveRuns === undefined || reportsDir === undefined
    ? {}
    : await saveRun(run, trials, plan.check, saveRuns, reportsDir);
  if (run.verdict !== 'fail' && run.verdict !== 'inconclusive') return { ...summary, ...place };
  const histories = reportsDir === undefined ? [] : await saveHistories(run, reportsDir, { subject: options.subject });
  const saved = histories.map((file) => path.relative(process.cwd(), path.join(reportsDir ?? '', file)));
  const replay = options.replayCommand(summary);
  const kept = run.verdict !== 'fail' || worker === undefined || reportsDir === undefined ? undefined : await keepCase(run, reportsDir, worker);
  const asCase = kept === undefined ? {} : { asCase: describeCase(kept, options) };
  const failure = failureText(run, { invariant: plan.invariant, replay, saved, ...asCase });
  return {
    ...summary, ...place, failure, replay, ...(histories.length === 0 ? {} : { histories }), ...(kept !== undefined && 'file' in kept ? { case: kept.file } : {}),
  };
}

/** The case as a failure text names it. */
function describeCase(kept: KeptCase, { reportsDir = '', subject, caseCommand }: ReportingOptions): FailureCase {
  if ('reason' in kept) return kept;
  const file = path.relative(process.cwd(), path.join(reportsDir, kept.file));
  const command = caseCommand?.(file) ?? `npx mcp-bridge-conformance replay ${file} --subject ${subject ?? '<your adapter>'}`;
  return { file, tried: kept.tried, command };
}

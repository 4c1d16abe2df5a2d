/**
 * From a run with its histories to what reports hold: histories are saved, and the failure text is made.
 */
import path from 'node:path';
import { failureText } from '../reporters/failure-text.ts';
import { saveHistories } from '../reporters/save-history.ts';
import { saveRun, type RunStamp } from '../reporters/save-run.ts';
import type { Plan } from './applicability.ts';
import type { RunResult, RunSummary } from './result.ts';

/** Where reports go and how a replay is spelled. */
export interface ReportingOptions {
  /** Folder for histories; `undefined` saves none. */
  readonly reportsDir: string | undefined;
  /** The subject as the command line named it. */
  readonly subject?: string;
  /** One command that replays a run. */
  readonly replayCommand: (run: RunSummary) => string;
  /** The certification for which whole runs are saved, for `analyze`; default: none are. */
  readonly saveRuns?: RunStamp;
}

/** The summary; a run that failed or stayed in doubt gets its text, and its histories are saved for a person. */
export async function summarize(plan: Plan, run: RunResult, options: ReportingOptions): Promise<RunSummary> {
  const { history: _history, again: _again, evidence: _evidence, trials, ...summary } = run;
  const { reportsDir, saveRuns } = options;
  const place = trials === undefined || saveRuns === undefined || reportsDir === undefined
    ? {}
    : await saveRun(run, trials, plan.check, saveRuns, reportsDir);
  if (run.verdict !== 'fail' && run.verdict !== 'inconclusive') return { ...summary, ...place };
  const histories = reportsDir === undefined ? [] : await saveHistories(run, reportsDir, options.subject);
  const saved = histories.map((file) => path.relative(process.cwd(), path.join(reportsDir ?? '', file)));
  const replay = options.replayCommand(summary);
  const failure = failureText(run, { invariant: plan.invariant, replay, saved });
  return { ...summary, ...place, failure, replay, ...(histories.length === 0 ? {} : { histories }) };
}

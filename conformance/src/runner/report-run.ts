/**
 * From a run with its histories to what reports hold: histories are saved, and the failure text is made.
 */
import path from 'node:path';
import { failureText } from '../reporters/failure-text.ts';
import { saveHistories } from '../reporters/save-history.ts';
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
}

/** The summary; a run that failed or stayed in doubt gets its text, and its histories are saved. */
export async function summarize(plan: Plan, run: RunResult, options: ReportingOptions): Promise<RunSummary> {
  const { history: _history, again: _again, evidence: _evidence, trials: _trials, ...summary } = run;
  if (run.verdict !== 'fail' && run.verdict !== 'inconclusive') return summary;
  const { reportsDir } = options;
  const histories = reportsDir === undefined ? [] : await saveHistories(run, reportsDir, options.subject);
  const saved = histories.map((file) => path.relative(process.cwd(), path.join(reportsDir ?? '', file)));
  const failure = failureText(run, { invariant: plan.invariant, replay: options.replayCommand(summary), saved });
  return { ...summary, failure, ...(histories.length === 0 ? {} : { histories }) };
}

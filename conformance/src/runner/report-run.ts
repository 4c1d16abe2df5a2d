/**
 * From a run with its histories to what reports hold: histories are saved, and the failure text is made.
 */
import path from 'node:path';
import { stringify } from 'fast-check';
import { keepCase, type KeptCase } from '../cases/keep-case.ts';
import { failureText, lostText, type FailureCase } from '../reporters/failure-text.ts';
import { saveHistories } from '../reporters/save-history.ts';
import { saveRun, type RunStamp } from '../reporters/save-run.ts';
import type { Plan } from './applicability.ts';
import type { LostRun } from './driver-error.ts';
import { inputAtWork, lastStimulus, observedBefore, stimulusText } from './lost-run.ts';
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

/**
 * What is kept of a run that an error of the way to the subject cost while it was under way: its history, a trace and one command.
 * `undefined` when it had not begun.
 */
export async function summarizeLost({ check, target, invariant }: Plan, error: Error, seed: number, { reportsDir, subject, replayCommand }: ReportingOptions): Promise<LostRun | undefined> {
  const history = observedBefore(error);
  if (history === undefined) return undefined;
  const input = inputAtWork(history);
  const counterexample = input === undefined ? {} : { counterexample: stringify(input) };
  const base = { check: check.id, target, seed };
  const histories = reportsDir === undefined ? [] : await saveHistories({ ...base, ...counterexample, history }, reportsDir, { subject });
  const saved = histories.map((file) => path.relative(process.cwd(), path.join(reportsDir ?? '', file)));
  const replay = replayCommand({ ...base, invariant: invariant.id, verdict: 'inconclusive', message: error.message, durationMs: 0 });
  const stimulus = stimulusText(history);
  const text = lostText({ ...base, invariant, message: error.message, history, last: lastStimulus(history), input: counterexample.counterexample, saved, replay });
  return { check: check.id, target, ...(stimulus === undefined ? {} : { stimulus }), ...(histories.length === 0 ? {} : { histories }), replay, text };
}

/** The case as a failure text names it. */
function describeCase(kept: KeptCase, { reportsDir = '', subject, caseCommand }: ReportingOptions): FailureCase {
  if ('reason' in kept) return kept;
  const file = path.relative(process.cwd(), path.join(reportsDir, kept.file));
  const command = caseCommand?.(file) ?? `npx mcp-bridge-conformance replay ${file} --subject ${subject ?? '<your adapter>'}`;
  return { file, tried: kept.tried, command };
}

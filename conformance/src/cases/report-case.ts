/** From the result of a case to what reports hold: one run an invariant, the history saved once, a text for each failure. */
import path from 'node:path';
import type { CaseFile } from 'mcp-fixture-server/case';
import { invariantById } from '../catalogue/index.ts';
import { failureText } from '../reporters/failure-text.ts';
import { saveHistories } from '../reporters/save-history.ts';
import type { RunResult, RunSummary } from '../runner/result.ts';
import type { CaseResult } from './run-case.ts';

/** Where reports go, and how this is done again. */
export interface CaseReporting {
  readonly seed: number;
  readonly durationMs: number;
  /** Folder for histories; `undefined` saves none. */
  readonly reportsDir: string | undefined;
  /** The subject as the command line named it. */
  readonly subject?: string;
  /** The text of the case file, kept with the history. */
  readonly caseText?: string;
  /** One command that runs the case again. */
  readonly replay: string;
}

/** The runs of a case, in the order of its `judge`. */
export async function summarizeCase(file: CaseFile, result: CaseResult, how: CaseReporting): Promise<RunSummary[]> {
  const runs = result.verdicts.map(({ invariant, verdict, message, evidence }): RunResult => ({
    check: `case ${file.id}`, invariant: invariantById(invariant).id, target: 'fixture', verdict, message, seed: how.seed, durationMs: how.durationMs,
    ...(evidence === undefined ? {} : { evidence }), ...(result.history === undefined ? {} : { history: result.history }),
  }));
  const worth = runs.find(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive');
  const histories = worth === undefined || how.reportsDir === undefined ? [] : await saveHistories(worth, how.reportsDir, { subject: how.subject, caseText: how.caseText });
  const saved = histories.map((one) => path.relative(process.cwd(), path.join(how.reportsDir ?? '', one)));
  return runs.map((run): RunSummary => {
    const { history: _history, evidence: _evidence, ...summary } = run;
    if (run.verdict !== 'fail' && run.verdict !== 'inconclusive') return summary;
    const failure = failureText(run, { invariant: invariantById(run.invariant), replay: how.replay, saved });
    return { ...summary, failure, replay: how.replay, ...(histories.length === 0 ? {} : { histories }) };
  });
}

/**
 * `analyze`: judges a saved certification again with the judges of today. Starts no process and no server: it reads.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FEATURES } from '../adapter/messages.ts';
import { invariants } from '../catalogue/index.ts';
import { checks } from '../checks/index.ts';
import { runName } from '../reporters/baseline-outcome.ts';
import { failureText } from '../reporters/failure-text.ts';
import { nameAndVersion, printable, printableName } from '../reporters/printable.ts';
import { exitCodeOf, makeReport, type Report } from '../reporters/report.ts';
import { counted, summaryLines } from '../reporters/summary.ts';
import { rejudge } from '../runner/rejudge.ts';
import type { RunSummary } from '../runner/result.ts';
import { readKillTable } from './package-files.ts';
import { suitePackage } from './package-paths.ts';
import type { Output } from './progress.ts';
import { readReport } from './read-report.ts';
import { readRun } from './read-run.ts';
import { replayCommand } from './replay-command.ts';

/** How one run was judged again. */
interface Rejudged {
  readonly now: RunSummary;
  /** What it said when it ran. */
  readonly was: RunSummary;
  /** Why the saved verdict was kept. Absent of a run that was judged again, and of one that did not apply. */
  readonly kept?: string;
}

/**
 * Judges again, prints what differs and the summary, and writes `analysis.json` beside the report.
 * @returns the exit code, as of the certification that it would have been
 * @throws UsageError when there is no report.
 */
export async function analyze(place: string, out: Output): Promise<number> {
  const { report: saved, file, folder } = readReport(place);
  const suite = suitePackage();
  out.write(`${file}: ${nameAndVersion(saved.subject)}, run by ${nameAndVersion(saved.suite)} at ${printableName(saved.startedAt)}\n`);
  const all = saved.verdicts.flatMap((one) => one.runs).map((line) => again(line, saved, folder));
  const report = makeReport({
    subject: { ...saved.subject, features: FEATURES.filter((feature) => !saved.featuresNotDeclared.includes(feature)) },
    suite, invariants, runs: all.map(({ now }) => now), levels: saved.levels, scope: saved.scope, strict: saved.strict, seed: saved.seed,
    startedAt: new Date(saved.startedAt), durationMs: saved.durationMs, driverErrors: saved.driverErrors, killTable: readKillTable(),
  });
  const analysis = path.join(folder, 'analysis.json');
  await writeFile(analysis, `${JSON.stringify(report, undefined, 2)}\n`);
  const lines = [...summaryLines(report, path.relative(process.cwd(), analysis)), '', ...differenceLines(all, saved, report)];
  for (const line of lines) out.write(`${line}\n`);
  return exitCodeOf(report);
}

function again(was: RunSummary, report: Report, folder: string): Rejudged {
  if (was.verdict === 'not-applicable') return { now: was, was };
  const check = checks.find((one) => one.id === was.check);
  const invariant = invariants.find((one) => one.id === check?.invariant);
  if (check === undefined || invariant === undefined) return { now: was, was, kept: 'this suite has no such check' };
  const read = readRun(was, report, folder);
  if ('why' in read) return { now: was, was, kept: read.why };
  const { judgement, history } = rejudge(check, read.run);
  const { failure: _failure, replay: _replay, ...facts } = was;
  const now: RunSummary = { ...facts, verdict: judgement.verdict, message: judgement.message };
  if (judgement.verdict !== 'fail' && judgement.verdict !== 'inconclusive') return { now, was };
  const replay = was.replay ?? replayCommand(now, '<subject>');
  const evidence = judgement.evidence === undefined ? {} : { evidence: judgement.evidence };
  return { now: { ...now, replay, failure: failureText({ ...now, history, ...evidence }, { invariant, replay, saved: [] }) }, was };
}

function differenceLines(all: readonly Rejudged[], saved: Report, report: Report): string[] {
  const differs = all.filter(({ now, was }) => now.verdict !== was.verdict);
  const kept = all.filter((one) => one.kept !== undefined);
  const judged = all.filter(({ was, kept: why }) => why === undefined && was.verdict !== 'not-applicable');
  const lines = [`Judged again: ${counted(judged.length, 'run')}; ${all.length - judged.length - kept.length} did not apply.`];
  if (kept.length > 0) {
    lines.push(`Not judged again, so their saved verdicts stand: ${counted(kept.length, 'run')}.`);
    lines.push(...kept.map(({ was, kept: why }) => `  ${printableName(runName(was))}: ${printable(why ?? '')}`));
  }
  if (saved.requirementSet.fingerprint !== report.requirementSet.fingerprint) {
    lines.push(`The requirements are others than then: ${saved.requirementSet.fingerprint} then, ${report.requirementSet.fingerprint} now.`);
  }
  if (differs.length === 0) return [...lines, 'Every verdict is the same as when it ran.'];
  return [...lines, differs.length === 1 ? '1 verdict differs from that when it ran:' : `${differs.length} verdicts differ from those when it ran:`, ...differs.map(({ was, now }) => `  ${runName(was)}: was ${was.verdict}, is ${now.verdict}: ${printable(now.message, '    ')}`)];
}

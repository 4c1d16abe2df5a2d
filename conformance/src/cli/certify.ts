/**
 * `certify` and its smaller sisters `smoke` and `replay`: from words on the command line to a report.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Level, SubjectDescription } from '../adapter/messages.ts';
import { isAdapterError } from '../adapter/bridge-adapter.ts';
import { invariants } from '../catalogue/index.ts';
import type { Target } from '../checks/check.ts';
import { exitCodeOf, makeReport, type Report } from '../reporters/report.ts';
import { counted, summaryLines } from '../reporters/summary.ts';
import { judgedLevels } from '../runner/applicability.ts';
import { runLimitMs } from '../runner/limits.ts';
import { plansOf, selectionWords, unknownWords } from '../runner/plans.ts';
import { loadSubject } from '../runner/subject-module.ts';
import { SubjectWorker } from '../runner/subject-worker.ts';
import { didYouMean } from './did-you-mean.ts';
import { readKillTable } from './package-files.ts';
import { suitePackage } from './package-paths.ts';
import { Progress, type Output } from './progress.ts';
import { subjectUrl } from './subject.ts';
import { UsageError } from './usage-error.ts';

/** How long after the longest time limit of a run a worker may still be silent, in milliseconds. */
const SILENCE_MARGIN_MS = 20_000;

/** What is to be certified and how. */
export interface CertifyOptions {
  /** Names the report file; only `certify` writes `report.json`, so that no smaller run overwrites a certificate. */
  readonly command: 'certify' | 'smoke' | 'replay';
  readonly subject: string;
  readonly seed: number;
  readonly strict: boolean;
  readonly reports: string;
  readonly level?: readonly Level[];
  readonly only?: readonly string[];
  readonly targets?: readonly Target[];
  readonly path?: string;
  readonly workers?: number;
}

/**
 * Runs, prints and writes the report.
 * @returns the exit code
 * @throws UsageError for a wrong argument
 */
export async function certify(options: CertifyOptions, out: Output = process.stdout): Promise<number> {
  const url = subjectUrl(options.subject);
  const only = options.only ?? [];
  const unknown = unknownWords(only);
  if (unknown.length > 0) {
    throw new UsageError(`${unknown.join(', ')}: no such area, invariant or check; ${didYouMean(unknown, selectionWords())}`);
  }
  const { level, targets } = options;
  const plans = plansOf({ only, ...(targets === undefined ? {} : { targets }) });
  const subject = await meet(url);
  const undeclared = level?.find((one) => one !== 'core' && !subject.levels.includes(one));
  if (undeclared !== undefined) {
    throw new UsageError(`--level ${undeclared}: ${subject.name} does not declare that level; it declares ${['core', ...subject.levels.filter((one) => one !== 'core')].join(', ')}`);
  }
  const startedAt = new Date();
  const progress = new Progress(out, plans.length);
  progress.print(`${subject.name} ${subject.version}: ${counted(plans.length, 'run')}`);
  const { seed, reports } = options;
  const settings = {
    subjectUrl: url, subject: options.subject, seed, reportsDir: path.resolve(reports), only,
    ...(level === undefined ? {} : { levels: level }), ...(targets === undefined ? {} : { targets }),
    ...(options.path === undefined ? {} : { path: options.path }),
    // A smaller run would overwrite runs of the certificate beside it.
    ...(options.command === 'certify' ? { saveRuns: { suite: suitePackage().version, startedAt: startedAt.toISOString() } } : {}),
  };
  const areas = [...new Set(plans.map((plan) => plan.invariant.area))];
  // Loaded only now: vitest takes longer to load than a wrong argument to be told.
  const { runSuite } = await import('./run-suite.ts');
  const outcome = await runSuite(settings, areas, progress, {
    workers: options.workers, silenceMs: Math.max(...plans.map((plan) => runLimitMs(plan.check))) + SILENCE_MARGIN_MS,
  });
  progress.clear();
  const errors = [...outcome.errors];
  // A worker that died takes its tests with it, and vitest may not say which.
  if (errors.length === 0 && outcome.runs.length < plans.length) {
    errors.push(`${plans.length - outcome.runs.length} of ${plans.length} runs gave no result: a worker ended before its time`);
  }
  const report = makeReport({
    subject, suite: suitePackage(), scope: only.length === 0 && targets === undefined ? 'whole' : 'part', invariants, runs: outcome.runs, levels: judgedLevels(subject, level), strict: options.strict,
    seed, startedAt, durationMs: Date.now() - startedAt.getTime(), driverErrors: errors, killTable: readKillTable(),
  });
  const file = await write(report, reports, options.command === 'certify' ? 'report.json' : `${options.command}.json`);
  for (const line of summaryLines(report, file)) out.write(`${line}\n`);
  return exitCodeOf(report);
}

/** Asks the subject who it is, before anything else runs: a wrong adapter is told at once and in one line. */
async function meet(url: string): Promise<SubjectDescription> {
  try {
    const worker = new SubjectWorker(await loadSubject(url));
    const { subject } = await worker.live();
    worker.discard();
    return subject;
  } catch (error) {
    if (isAdapterError(error)) throw new UsageError(error.message, { cause: error });
    throw new UsageError(`the subject cannot be started: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function write(report: Report, reports: string, name: string): Promise<string> {
  await mkdir(reports, { recursive: true });
  const file = path.join(reports, name);
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
  return path.relative(process.cwd(), file);
}

/**
 * `certify` and its smaller sisters `smoke` and `replay`: from words on the command line to a report.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Level } from '../adapter/messages.ts';
import { invariants } from '../catalogue/index.ts';
import type { Target } from '../checks/check.ts';
import { exitCodeOf, makeReport, type Report } from '../reporters/report.ts';
import { nameAndVersion, printableName } from '../reporters/printable.ts';
import { counted, summaryLines } from '../reporters/summary.ts';
import { judgedLevels, type Plan } from '../runner/applicability.ts';
import { runLimitMs } from '../runner/limits.ts';
import { plansOf, selectionWords, unknownWords } from '../runner/plans.ts';
import type { SubjectWay } from '../runner/subject-way.ts';
import { workerLimits } from '../runner/worker-limits.ts';
import { didYouMean } from './did-you-mean.ts';
import { readKnownFailures, settleKnownFailures, type KnownFailures } from './known-failures.ts';
import { meet } from './meet.ts';
import { readKillTable } from './package-files.ts';
import { suitePackage } from './package-paths.ts';
import { Progress, type Output } from './progress.ts';
import { RunGuard } from './run-guard.ts';
import { runSuite } from './run-suite.ts';
import { wayTo } from './subject.ts';
import { UsageError } from './usage-error.ts';

/** How long after the longest time limit of a run a worker may still be silent, in milliseconds. */
const SILENCE_MARGIN_MS = 20_000;
/** For all runs, in seconds: an ordinary certification takes one to three minutes, on a very slow machine ten. */
export const DEFAULT_TIMEOUT_S = 1_800;

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
  /** The file of known failures. */
  readonly baseline?: string;
  /** Rewrites that file. */
  readonly fix?: boolean;
  /** Seconds for all runs. Default {@link DEFAULT_TIMEOUT_S}. */
  readonly timeout?: number;
}

/**
 * Runs, prints and writes the report.
 * @returns the exit code
 * @throws UsageError for a wrong argument
 */
export async function certify(options: CertifyOptions, out: Output = process.stdout): Promise<number> {
  const way = wayTo(options.subject);
  const only = options.only ?? [];
  const unknown = unknownWords(only);
  if (unknown.length > 0) {
    throw new UsageError(`${unknown.join(', ')}: no such area, invariant or check; ${didYouMean(unknown, selectionWords())}`);
  }
  const { targets } = options;
  const plans = plansOf({ only, ...(targets === undefined ? {} : { targets }) });
  const known = options.baseline === undefined ? undefined : readKnownFailures(options.baseline, options.fix ?? false);
  const guard = new RunGuard();
  try {
    return await certifyGuarded(options, { way, plans, known }, out, guard);
  } finally {
    await guard.end();
  }
}

/** What the words on the command line stand for. */
interface Asked {
  readonly way: SubjectWay;
  readonly plans: readonly Plan[];
  readonly known: KnownFailures | undefined;
}

async function certifyGuarded(options: CertifyOptions, { way, plans, known }: Asked, out: Output, guard: RunGuard): Promise<number> {
  const begunMs = performance.now();
  const { level, targets, only = [] } = options;
  const subject = await meet(way);
  const undeclared = level?.find((one) => one !== 'core' && !subject.levels.includes(one));
  if (undeclared !== undefined) {
    throw new UsageError(`--level ${undeclared}: ${printableName(subject.name)} does not declare that level; it declares ${['core', ...subject.levels.filter((one) => one !== 'core')].join(', ')}`);
  }
  const startedAt = new Date();
  const progress = new Progress(out, plans.length);
  progress.print(`${nameAndVersion(subject)}: ${counted(plans.length, 'run')}`);
  const { seed, reports } = options;
  const settings = {
    way, subject: options.subject, described: subject, seed, reportsDir: path.resolve(reports), only,
    ...(level === undefined ? {} : { levels: level }), ...(targets === undefined ? {} : { targets }),
    ...(options.path === undefined ? {} : { path: options.path }),
    // A smaller run would overwrite runs of the certificate beside it.
    ...(options.command === 'certify' ? { saveRuns: { suite: suitePackage().version, startedAt: startedAt.toISOString() } } : {}),
  };
  const outcome = await runSuite(settings, plans, progress, {
    workers: options.workers, silenceMs: Math.max(...plans.map((plan) => runLimitMs(plan.check))) + SILENCE_MARGIN_MS,
    blockedMs: workerLimits().blockedMs, timeoutMs: (options.timeout ?? DEFAULT_TIMEOUT_S) * 1_000,
    passedMs: performance.now() - begunMs,
  }, guard);
  progress.clear();
  const report = makeReport({
    subject, suite: suitePackage(), scope: only.length === 0 && targets === undefined ? 'whole' : 'part', invariants, runs: outcome.runs, levels: judgedLevels(subject, level), strict: options.strict,
    seed, startedAt, durationMs: Date.now() - startedAt.getTime(), driverErrors: outcome.driverErrors, killTable: readKillTable(),
    // Without a verdict nothing is known of what fails.
    baseline: known === undefined || outcome.driverErrors.length > 0 ? undefined : settleKnownFailures(known, outcome.runs, options.strict),
  });
  const file = await write(report, reports, options.command === 'certify' ? 'report.json' : `${options.command}.json`);
  for (const line of summaryLines(report, file)) out.write(`${line}\n`);
  return exitCodeOf(report);
}

async function write(report: Report, reports: string, name: string): Promise<string> {
  await mkdir(reports, { recursive: true });
  const file = path.join(reports, name);
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
  return path.relative(process.cwd(), file);
}

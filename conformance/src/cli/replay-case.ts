/**
 * `replay` of a case: performs its steps against a subject and says which of the invariants it names broke.
 */
import { fork } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariants } from '../catalogue/index.ts';
import { CASE_LIMIT_MS } from '../cases/run-case.ts';
import { printable } from '../reporters/printable.ts';
import { exitCodeOf, makeReport } from '../reporters/report.ts';
import { summaryLines } from '../reporters/summary.ts';
import { judgedLevels } from '../runner/applicability.ts';
import { START_LIMIT_MS } from '../runner/limits.ts';
import type { CaseTask, CaseTold } from './case-child.ts';
import { readCase } from './case-source.ts';
import { suitePackage } from './package-paths.ts';
import { Progress, type Output } from './progress.ts';
import { wayTo, subjectArguments } from './subject.ts';
import { RunGuard } from './run-guard.ts';
import { sweep } from './sweep.ts';
import { UsageError } from './usage-error.ts';

/** Beyond two runs of a case and the starts of the subject, in milliseconds: for loading, closing and saving. */
const MARGIN_MS = 60_000;

/** What is replayed and against whom. */
export interface ReplayCaseOptions {
  /** The case file. */
  readonly path: string;
  /** How the person named it. */
  readonly named: string;
  /** The subject, as one word. */
  readonly subject: string;
  readonly seed: number;
  readonly reports: string;
  /** Milliseconds for all of it, at most. */
  readonly timeoutMs: number;
}

/**
 * Runs a case, prints what became of each invariant it names, writes `replay.json`.
 * @returns the exit code: 0 all held, 1 something broke, 2 no verdict, 3 something could not be decided
 * @throws UsageError for a wrong file or subject
 */
export async function replayCase(options: ReplayCaseOptions, out: Output = process.stdout): Promise<number> {
  const { subject: word, seed, reports, named } = options;
  const file = readCase(options.path);
  wayTo(word);
  const startedAt = new Date();
  const progress = new Progress(out, file.judge.length);
  progress.print(`case ${file.id}: ${printable(file.title)}`);
  const told = await runApart(
    { path: path.resolve(options.path), subject: word, seed, reports, replay: `npx mcp-bridge-conformance replay ${named} ${subjectArguments(word)}` },
    // Named here already, so that a driver inherits what the run sets them to.
    { ...process.env, ...(file.host?.proxy === undefined ? {} : { http_proxy: '', https_proxy: '', no_proxy: '' }), ...file.host?.environment },
    options.timeoutMs,
  );
  if ('error' in told) throw new UsageError(told.error);
  const { subject, runs } = told;
  for (const run of runs) progress.ended(run);
  progress.clear();
  const report = makeReport({
    subject, suite: suitePackage(), scope: 'part', invariants, runs, levels: judgedLevels(subject, undefined), strict: true, seed, startedAt,
    durationMs: Date.now() - startedAt.getTime(), driverErrors: [],
  });
  await mkdir(reports, { recursive: true });
  const written = path.join(reports, 'replay.json');
  await writeFile(written, `${JSON.stringify(report, undefined, 2)}\n`);
  for (const run of runs) {
    if (run.verdict === 'pass' || run.verdict === 'not-applicable') progress.print(`${run.invariant} ${run.verdict === 'pass' ? 'held' : 'does not apply'}: ${printable(run.message)}`);
  }
  for (const line of summaryLines(report, path.relative(process.cwd(), written))) out.write(`${line}\n`);
  return exitCodeOf(report);
}

/** In a process that can be killed with everything it started. */
async function runApart(task: CaseTask, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<CaseTold> {
  const guard = new RunGuard();
  try {
    return await guarded(task, env, timeoutMs, guard);
  } finally {
    await guard.end();
  }
}

async function guarded(task: CaseTask, env: NodeJS.ProcessEnv, timeoutMs: number, guard: RunGuard): Promise<CaseTold> {
  const { marker } = guard;
  const [name = '', value] = marker.split('=');
  const child = fork(fileURLToPath(new URL('./case-child.js', import.meta.url)), [], { env: { ...env, [name]: value } });
  const limitMs = Math.min(2 * CASE_LIMIT_MS + 4 * START_LIMIT_MS + MARGIN_MS, timeoutMs);
  try {
    return await guard.during(() => void child.kill('SIGKILL'), () => new Promise<CaseTold>((resolve) => {
      const timer = setTimeout(() => resolve({ error: `the case did not come to an end within ${limitMs} ms, and was ended: the subject did not come back` }), limitMs);
      const settle = (told: CaseTold): void => {
        clearTimeout(timer);
        resolve(told);
      };
      child.once('message', (told: CaseTold) => settle(told));
      child.once('error', (error) => settle({ error: `the case could not be started: ${error.message}` }));
      child.once('exit', (code, signal) => settle({ error: `the subject ended the process it ran in (${code === null ? signal ?? 'by a signal' : `code ${code}`})` }));
      child.send(task);
    }));
  } finally {
    child.kill('SIGKILL');
    await sweep(marker);
  }
}

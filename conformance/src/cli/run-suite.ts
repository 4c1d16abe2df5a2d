/**
 * Runs the suite: in rounds, since a run during which a worker died costs only itself, and the rest goes on in a new round.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Plan } from '../runner/applicability.ts';
import { DriverErrors, sameRun, type DriverError } from '../runner/driver-error.ts';
import type { RunSummary } from '../runner/result.ts';
import { MAX_DEAD_RUNS, takeDeadRuns } from '../runner/run-notes.ts';
import type { RunName, SuiteSettings } from '../runner/suite-settings.ts';
import type { Progress } from './progress.ts';
import { runRound } from './run-round.ts';
import { markRun, sweep } from './sweep.ts';
import { killWorkers } from './watchdog.ts';

/** Between two rounds of killing when the time is over, in milliseconds. */
const KILL_EVERY_MS = 250;
/** How long what a killed worker left may take to end by itself, in milliseconds. */
const ROUGH_GRACE_MS = 1_000;

/** By which a person or a CI ends a certification. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** The exit code of a command that was interrupted, as shells have it. */
const INTERRUPTED = 130;

/** What a run of the suite gave. */
export interface SuiteOutcome {
  readonly runs: readonly RunSummary[];
  readonly driverErrors: readonly DriverError[];
}

/** Bounds of a run of the suite, times in milliseconds. */
export interface SuiteLimits {
  /** Processes at once. */
  readonly workers?: number | undefined;
  /** Without any news of a worker for this long the workers are ended. */
  readonly silenceMs: number;
  /** How long a subject may keep its worker from the event loop; then that worker is killed. */
  readonly blockedMs: number;
  /** For everything; what was not judged by then is not tried. */
  readonly timeoutMs: number;
}

/** Runs these plans. Never rejects for what a subject does, and ends soon after `timeoutMs` whatever it does. */
export async function runSuite(
  settings: Omit<SuiteSettings, 'notesDir' | 'blockedMs' | 'except'>, plans: readonly Plan[], progress: Progress, limits: SuiteLimits,
): Promise<SuiteOutcome> {
  const errors = new DriverErrors();
  const runs: RunSummary[] = [];
  const notesDir = await mkdtemp(path.join(tmpdir(), 'mcp-conformance-notes-'));
  const marker = markRun();
  const { timeoutMs, blockedMs } = limits;
  const time = { over: false };
  let killing: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    time.over = true;
    // Again and again, since vitest starts another worker for what is left.
    killing = setInterval(killWorkers, KILL_EVERY_MS);
  }, timeoutMs);
  // A person who gives up leaves nothing behind either.
  const interrupted = (): void => {
    killWorkers();
    void sweep(marker, ROUGH_GRACE_MS).finally(() => process.exit(INTERRUPTED));
  };
  for (const name of SIGNALS) process.on(name, interrupted);
  let died = 0;
  let left = [...plans];
  try {
    while (left.length > 0 && !time.over && died < MAX_DEAD_RUNS) {
      const done = plans.filter((plan) => !left.includes(plan)).map(nameOf);
      const round = await runRound({ ...settings, notesDir, blockedMs, except: done }, left, progress, errors, limits);
      runs.push(...round.runs);
      const dead = takeDeadRuns(notesDir);
      await sweep(marker, time.over || dead.length > 0 ? ROUGH_GRACE_MS : undefined);
      for (const { blocked, ...run } of dead) {
        if (time.over) errors.add('not-tried', `was under way when the time limit of ${timeoutMs / 1000} s was over (--timeout)`, run);
        else if (blocked) errors.add('driver-hung', `the subject did not come back to the event loop for ${blockedMs} ms; its process was killed`, run);
        else errors.add('driver-exited', 'the process that the subject runs in ended in the middle of it', run);
      }
      left = left.filter((plan) => !runs.some((run) => sameRun(run, nameOf(plan))) && !errors.runs.some((run) => sameRun(run, nameOf(plan))));
      // A worker that died, or was killed at the end of the time, explains what vitest says about it.
      if (dead.length === 0 && !time.over) {
        for (const message of round.unhandled) errors.add('suite', `an error that nobody handled: ${message}`);
        break;
      }
      died += dead.length;
    }
  } finally {
    clearTimeout(timer);
    clearInterval(killing);
    for (const name of SIGNALS) process.off(name, interrupted);
    await rm(notesDir, { recursive: true, force: true });
  }
  // vitest sets it for failed tests; the report decides.
  process.exitCode = 0;
  if (left.length > 0) errors.add('not-tried', whyLeft(time.over, died, timeoutMs), ...left.map(nameOf));
  return { runs, driverErrors: errors.all };
}

function whyLeft(over: boolean, died: number, timeoutMs: number): string {
  if (over) return `not tried: the time limit of ${timeoutMs / 1000} s was over (--timeout)`;
  if (died >= MAX_DEAD_RUNS) return `not tried: the process that the subject runs in died in ${died} runs`;
  return 'gave no result: a worker ended before its time';
}

function nameOf({ check, target }: Plan): RunName {
  return { check: check.id, target };
}

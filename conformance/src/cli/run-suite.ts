/**
 * Runs the suite: in rounds, since a run during which a worker died costs only itself, and the rest goes on in a new round.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { invariantById } from '../catalogue/index.ts';
import type { Check } from '../checks/check.ts';
import { checks } from '../checks/index.ts';
import { lostText } from '../reporters/failure-text.ts';
import type { Plan } from '../runner/applicability.ts';
import { DriverErrors, sameRun, type DriverError, type LostRun } from '../runner/driver-error.ts';
import type { RunSummary } from '../runner/result.ts';
import { MAX_DEAD_RUNS, takeDeadRuns, type DeadRun } from '../runner/run-notes.ts';
import type { RunName, SuiteSettings } from '../runner/suite-settings.ts';
import { replayCommand } from './replay-command.ts';
import type { Progress } from './progress.ts';
import type { RunGuard } from './run-guard.ts';
import { Round } from './run-round.ts';
import { sweep, type Graces } from './sweep.ts';

/** How long what a killed worker left may take to end by itself, in milliseconds. */
const ROUGH: Graces = { endMs: 1_000 };

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
  /** How much of that has passed already. */
  readonly passedMs: number;
}

/** Runs these plans. Never rejects for what a subject does, and ends soon after `timeoutMs` whatever it does. */
export async function runSuite(
  settings: Omit<SuiteSettings, 'notesDir' | 'blockedMs' | 'except'>, plans: readonly Plan[], progress: Progress, limits: SuiteLimits, guard: RunGuard,
): Promise<SuiteOutcome> {
  const errors = new DriverErrors();
  const runs: RunSummary[] = [];
  const notesDir = await mkdtemp(path.join(tmpdir(), 'mcp-conformance-notes-'));
  const { timeoutMs, blockedMs } = limits;
  const time = { over: false };
  let round: Round | undefined;
  const timer = setTimeout(() => {
    time.over = true;
    round?.kill();
  }, Math.max(1, timeoutMs - limits.passedMs));
  let died = 0;
  let left = [...plans];
  try {
    while (left.length > 0 && !time.over && died < MAX_DEAD_RUNS) {
      const done = plans.filter((plan) => !left.includes(plan)).map(nameOf);
      const running = round = new Round({ ...settings, notesDir, blockedMs, except: done }, left, { progress, errors, ...limits });
      const { runs: fresh, unhandled, crashed } = await guard.during(() => running.kill(), () => running.outcome);
      runs.push(...fresh);
      const dead = takeDeadRuns(notesDir);
      await guard.during(() => undefined, () => sweep(guard.marker, time.over || dead.length > 0 || crashed !== undefined ? ROUGH : undefined));
      for (const one of dead) {
        const run = { check: one.check, target: one.target };
        const addLost = (code: DriverError['code'], message: string): void => {
          const lost = lostIn(one, settings, message);
          errors.addLost(code, message, lost);
          progress.lost(lost.text);
        };
        if (time.over) errors.add('not-tried', `was under way when the time limit of ${timeoutMs / 1000} s was over (--timeout)`, run);
        else if (one.blocked) addLost('driver-hung', `the subject did not come back to the event loop for ${blockedMs} ms; its process was killed`);
        else if (crashed !== undefined) errors.add('suite', `the process in which the suite ran did not come to its end: ${crashed}`, run);
        else addLost('driver-exited', 'the process that the subject runs in ended in the middle of it');
      }
      left = left.filter((plan) => !runs.some((run) => sameRun(run, nameOf(plan))) && !errors.runs.some((run) => sameRun(run, nameOf(plan))));
      // A worker that died, or was killed at the end of the time, explains what vitest says about it.
      if (dead.length === 0 && !time.over) {
        for (const message of unhandled) errors.add('suite', `an error that nobody handled: ${message}`);
        if (crashed !== undefined) errors.add('suite', `the process in which the suite ran did not come to its end: ${crashed}`);
        break;
      }
      died += dead.length;
    }
  } finally {
    clearTimeout(timer);
    await rm(notesDir, { recursive: true, force: true });
  }
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

/** What is known of a run whose process died with its history. */
function lostIn({ check, target, asked }: DeadRun, { subject, seed }: Pick<SuiteSettings, 'subject' | 'seed'>, message: string): LostRun {
  const invariant = invariantById(checkById(check).invariant);
  const replay = replayCommand({ check, target, seed }, subject);
  const text = lostText({ check, target, invariant, seed, message, last: -1, trace: asked, saved: [], replay });
  const stimulus = asked.at(-1)?.replace(/ {2,}/g, ' ');
  return { check, target, ...(stimulus === undefined ? {} : { stimulus }), replay, text };
}

function checkById(id: string): Check {
  const check = checks.find((one) => one.id === id);
  if (check === undefined) throw new Error(`a worker noted a run of ${id}, which is no check of this suite; its notes lay in a folder of this run`);
  return check;
}

/**
 * The suite as vitest tests, for a bridge author who uses vitest and for the command line, which starts vitest itself.
 */
import { AREAS, type Area } from 'mcp-fixture-server/case';
import { afterAll, describe, test } from 'vitest';
import type { Level } from '../adapter/messages.ts';
import { isAdapterError, type AdapterErrorCode, type AdapterFactory } from '../adapter/bridge-adapter.ts';
import { parseDriverCommand } from '../adapter/driver-command.ts';
import type { DriverCommand } from '../adapter/driver-process.ts';
import type { Check, Target } from '../checks/check.ts';
import { checks as allChecks } from '../checks/index.ts';
import type { RunStamp } from '../reporters/save-run.ts';
import { DEFAULT_SEED } from './default-seed.ts';
import type { Plan } from './applicability.ts';
import { runLimitMs } from './limits.ts';
import { plansOf } from './plans.ts';
import type { LostRun } from './driver-error.ts';
import { summarize, summarizeLost } from './report-run.ts';
import type { RunSummary } from './result.ts';
import { runCheck } from './run-check.ts';
import type { RunNotes } from './run-notes.ts';
import { factoryOf, wayToDriver } from './subject-way.ts';
import { SubjectWorker } from './subject-worker.ts';
import type { RunName } from './suite-settings.ts';
import { workerLimits } from './worker-limits.ts';

/** What is run and how. */
export interface ConformanceOptions {
  /** Levels to judge by. Default: all that the subject declares; `core` is always among those. */
  readonly levels?: readonly Level[];
  /** Areas, invariants or checks by name. Default: all. The environment variable `MCP_CONFORMANCE_ONLY` overrides it. */
  readonly only?: readonly string[];
  readonly areas?: readonly Area[];
  /** Default: scripted and real servers. */
  readonly targets?: readonly Target[];
  /** Seed of all chance, default {@link DEFAULT_SEED}. The environment variable `MCP_CONFORMANCE_SEED` overrides it. */
  readonly seed?: number;
  /** Replays one input of the one property in `only`. The environment variable `MCP_CONFORMANCE_PATH` overrides it. */
  readonly path?: string;
  /** Where histories of failures are saved. Default: `reports`; `false` saves none. */
  readonly reportsDir?: string | false;
  /** The certification for which whole runs are saved for `analyze`. Default: none are. */
  readonly saveRuns?: RunStamp;
  /** How the command line names the subject. */
  readonly subject?: string;
  /** One command that replays a run. Default: this same test file, narrowed to one check by the environment. */
  readonly replayCommand?: (run: RunSummary) => string;
  /** One command that runs a case file. Default: the command line's. */
  readonly caseCommand?: (file: string) => string;
  /** Other checks than the suite's, for tests of the suite. */
  readonly checks?: readonly Check[];
  /** Runs that are left out: they were made before. */
  readonly except?: readonly RunName[];
}

/** A driver instead of an adapter: its command as a person types it (no shell is used), or in parts. */
export interface DriverSubject {
  readonly driver: string | DriverCommand;
}

/** What a test tells the command line's reporter. */
export interface ConformanceMeta {
  readonly run?: RunSummary;
  /** An error of the way to the subject: no verdict. Without the name of the test. */
  readonly driverError?: string;
  /** Its code. */
  readonly driverErrorCode?: AdapterErrorCode;
  /** The run that it cost. */
  readonly name?: RunName;
  /** What was observed of that run. */
  readonly lost?: LostRun;
}

declare module 'vitest' {
  interface TaskMeta {
    bridgeConformance?: ConformanceMeta;
  }
}

/**
 * Declares one vitest test for each check and target, grouped by area. A failure's message is the whole failure text; a
 * check that stays in doubt fails too, since a green run must mean that everything held; what does not apply is skipped
 * with its reason.
 *
 * @param subject makes the adapter, or names a driver; one is used for all tests of a file, replaced when it hangs or dies, and
 *   ended after the last test.
 * @throws AdapterError `misuse` when the command of a driver cannot be read
 */
export function describeBridgeConformance(subject: AdapterFactory | DriverSubject, options: ConformanceOptions = {}): void {
  const worker = new SubjectWorker(typeof subject === 'function' ? subject : driverFactory(subject));
  declareConformance(worker, options);
  afterAll(() => worker.end(), 2 * workerLimits().endMs + 5_000);
}

function driverFactory({ driver }: DriverSubject): AdapterFactory {
  const way = wayToDriver(typeof driver === 'string' ? parseDriverCommand(driver) : driver);
  return async () => (await factoryOf(way))();
}

/** Declares the tests over a worker that somebody else ends; `notes` are told which run is under way. */
export function declareConformance(worker: SubjectWorker, options: ConformanceOptions, notes?: RunNotes): void {
  const settings = settle(options);
  const { except = [] } = options;
  const plans = plansOf(settings.selection, settings.checks)
    .filter((plan) => !except.some(({ check, target }) => check === plan.check.id && target === plan.target));
  for (const area of AREAS) {
    const own = plans.filter((plan) => plan.invariant.area === area);
    if (own.length === 0) continue;
    describe(area, () => {
      for (const plan of own) declare(plan, worker, settings, notes);
    });
  }
}

type Settings = ReturnType<typeof settle>;

/** The environment wins over what the file says: that is how a printed command narrows it to one run. */
function settle(options: ConformanceOptions) {
  const { MCP_CONFORMANCE_SEED: envSeed, MCP_CONFORMANCE_ONLY: envOnly, MCP_CONFORMANCE_PATH: envPath } = process.env;
  const seed = envSeed === undefined ? (options.seed ?? DEFAULT_SEED) : Number(envSeed);
  const only = envOnly === undefined ? options.only : [envOnly];
  const path = envPath ?? options.path;
  const { areas, targets } = options;
  return {
    run: { seed, ...(options.levels === undefined ? {} : { levels: options.levels }), ...(path === undefined ? {} : { path }) },
    selection: {
      ...(areas === undefined ? {} : { areas }), ...(only === undefined ? {} : { only }), ...(targets === undefined ? {} : { targets }),
    },
    checks: options.checks ?? allChecks,
    reporting: {
      reportsDir: options.reportsDir === false ? undefined : (options.reportsDir ?? 'reports'),
      replayCommand: options.replayCommand ?? byEnvironment,
      ...(options.caseCommand === undefined ? {} : { caseCommand: options.caseCommand }),
      ...(options.subject === undefined ? {} : { subject: options.subject }),
      ...(options.saveRuns === undefined ? {} : { saveRuns: options.saveRuns }),
    },
  };
}

function declare(plan: Plan, worker: SubjectWorker, settings: Settings, notes: RunNotes | undefined): void {
  const name = plan.target === 'fixture' ? plan.check.id : `${plan.check.id} on ${plan.target}`;
  test(name, { timeout: runLimitMs(plan.check) }, async ({ task, skip }) => {
    let summary: RunSummary;
    const runName = { check: plan.check.id, target: plan.target };
    try {
      notes?.enter(runName);
      const run = await runCheck(plan, worker, settings.run);
      summary = await summarize(plan, run, settings.reporting, worker);
    } catch (error) {
      if (!isAdapterError(error)) throw error;
      const lost = await summarizeLost(plan, error, settings.run.seed, settings.reporting).catch(() => undefined);
      task.meta.bridgeConformance = { driverError: error.message, driverErrorCode: error.code, name: runName, ...(lost === undefined ? {} : { lost }) };
      throw lost === undefined ? error : plainError(lost.text);
    } finally {
      notes?.leave();
    }
    task.meta.bridgeConformance = { run: summary };
    if (summary.verdict === 'not-applicable') skip(summary.message);
    if (summary.failure !== undefined) throw plainError(summary.failure);
  });
}

/** An error whose stack would only show the suite itself. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

function byEnvironment(run: RunSummary): string {
  const path = run.path === undefined ? '' : ` MCP_CONFORMANCE_PATH=${run.path}`;
  return `MCP_CONFORMANCE_ONLY=${run.check} MCP_CONFORMANCE_SEED=${run.seed}${path} npx vitest run`;
}

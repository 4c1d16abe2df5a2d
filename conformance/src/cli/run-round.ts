/**
 * One round of the suite in vitest: one file an area, in forks that can be killed.
 */
import { availableParallelism } from 'node:os';
import { startVitest } from 'vitest/node';
import type { Plan } from '../runner/applicability.ts';
import type { DriverErrors } from '../runner/driver-error.ts';
import type { RunSummary } from '../runner/result.ts';
import type { SuiteSettings } from '../runner/suite-settings.ts';
import { CollectingReporter } from './collecting-reporter.ts';
import { PACKAGE_DIR } from './package-paths.ts';
import type { Progress } from './progress.ts';
import { killWorkers, Watchdog } from './watchdog.ts';

/** The most workers when none are asked for: more would make servers wait for each other and look slow. */
const DEFAULT_MAX_WORKERS = 4;
/** How long a worker may take to leave, in milliseconds; then it is killed. */
const TEARDOWN_MS = 5_000;

/** What a round gave. */
export interface RoundOutcome {
  readonly runs: readonly RunSummary[];
  /** Errors inside workers that nobody handled. */
  readonly unhandled: readonly string[];
}

/** Runs what is left. Never rejects for what a subject does. */
export async function runRound(
  settings: SuiteSettings, left: readonly Plan[], progress: Progress, errors: DriverErrors,
  { workers, silenceMs }: { readonly workers?: number | undefined; readonly silenceMs: number },
): Promise<RoundOutcome> {
  const watchdog = new Watchdog(silenceMs, () => {
    errors.add('suite', `nothing was heard of a worker for ${silenceMs} ms: the subject did not come back, and was ended`);
    killWorkers();
  });
  const reporter = new CollectingReporter(progress, watchdog, errors);
  const areas = [...new Set(left.map((plan) => plan.invariant.area))];
  const vitest = await startVitest('test', [], {
    root: PACKAGE_DIR,
    config: false,
    watch: false,
    include: areas.map((area) => `dist/runner/suite/${area}.suite.js`),
    // By default what lies below node_modules is left out, and that is where this package lies when it is installed.
    exclude: [],
    pool: 'forks',
    // A worker keeps what it has loaded from one area to the next.
    isolate: false,
    maxWorkers: workers ?? Math.min(DEFAULT_MAX_WORKERS, availableParallelism()),
    // The suite is built already; nothing is to be transformed, least of all the subject.
    server: { deps: { external: [/\.[cm]?js$/] } },
    provide: { bridgeConformance: settings },
    reporters: [reporter],
    teardownTimeout: TEARDOWN_MS,
    passWithNoTests: true,
    disableConsoleIntercept: true,
    slowTestThreshold: 60_000,
  });
  await vitest.close();
  watchdog.stop();
  return { runs: reporter.runs, unhandled: reporter.unhandled };
}

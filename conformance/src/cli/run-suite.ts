/**
 * Runs the suite in vitest: one file an area, in forks that can be killed.
 */
import { availableParallelism } from 'node:os';
import { startVitest } from 'vitest/node';
import type { Area } from 'mcp-fixture-server/case';
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

/** What a run of the suite gave. */
export interface SuiteOutcome {
  readonly runs: readonly RunSummary[];
  readonly errors: readonly string[];
}

/** Bounds of a run of the suite. */
export interface SuiteLimits {
  /** Processes at once. */
  readonly workers?: number | undefined;
  /** Milliseconds without any news of a worker after which the workers are ended. */
  readonly silenceMs: number;
}

/** Runs these areas. Never rejects for what a subject does. */
export async function runSuite(
  settings: SuiteSettings, areas: readonly Area[], progress: Progress, { workers, silenceMs }: SuiteLimits,
): Promise<SuiteOutcome> {
  const stuck: string[] = [];
  const watchdog = new Watchdog(silenceMs, () => {
    stuck.push(`nothing was heard of a worker for ${silenceMs} ms: the subject did not come back, and was ended`);
    killWorkers();
  });
  const reporter = new CollectingReporter(progress, watchdog);
  const vitest = await startVitest('test', [], {
    root: PACKAGE_DIR,
    config: false,
    watch: false,
    include: areas.map((area) => `dist/runner/suite/${area}.suite.js`),
    // By default what lies below node_modules is left out, and that is where this package lies when it is installed.
    exclude: [],
    pool: 'forks',
    // A worker keeps what it has loaded from one area to the next; each area has its own adapter all the same.
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
  // vitest sets it for failed tests; the report decides.
  process.exitCode = 0;
  return { runs: reporter.runs, errors: [...stuck, ...reporter.errors] };
}

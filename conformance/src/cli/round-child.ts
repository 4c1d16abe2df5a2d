/**
 * One round of the suite, in a process of its own that leads a group: it can be ended at once with all its workers, and what
 * vitest does about workers that die while it starts others ends this process only.
 */
import { startVitest } from 'vitest/node';
import { PACKAGE_DIR } from './package-paths.ts';
import type { RoundNews, RoundTask } from './round-news.ts';
import { TellingReporter } from './telling-reporter.ts';

/** How long a worker may take to leave, in milliseconds; then it is killed. */
const TEARDOWN_MS = 5_000;

async function runHere({ settings, areas, workers }: RoundTask): Promise<RoundNews> {
  const reporter = new TellingReporter((news) => void process.send?.(news));
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
    maxWorkers: workers,
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
  return { kind: 'over', unhandled: reporter.unhandled };
}

/** Nobody is left to tell: the workers end with this process, and the input of their drivers with them. */
function leave(): void {
  if (process.platform === 'win32') process.exit(1);
  process.kill(-process.pid, 'SIGKILL');
}

process.once('disconnect', leave);
process.once('message', (task: RoundTask) => {
  void runHere(task).then((news) => process.send?.(news, () => process.exit(0)));
});
if (!process.connected) leave();

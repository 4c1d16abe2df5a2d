/**
 * What vitest tells while it runs the suite, turned into runs and errors of the way to the subject.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import path from 'node:path';
import type { ConformanceMeta } from '../runner/describe.ts';
import type { RunSummary } from '../runner/result.ts';
import type { Progress } from './progress.ts';
import type { Watchdog } from './watchdog.ts';

/** Collects what the tests report. */
export class CollectingReporter implements Reporter {
  readonly runs: RunSummary[] = [];
  /** Errors of the way to the subject and of the suite itself: with one of them there is no verdict. */
  readonly errors: string[] = [];
  readonly #progress: Progress;
  readonly #watchdog: Watchdog;

  constructor(progress: Progress, watchdog: Watchdog) {
    this.#progress = progress;
    this.#watchdog = watchdog;
  }

  onTestCaseReady(test: TestCase): void {
    this.#watchdog.heard();
    this.#progress.began(test.name);
  }

  onTestCaseResult(test: TestCase): void {
    this.#watchdog.heard();
    const meta: ConformanceMeta | undefined = test.meta().bridgeConformance;
    if (meta?.run !== undefined) {
      this.runs.push(meta.run);
      this.#progress.ended(meta.run);
      return;
    }
    const message = test.result().errors?.[0]?.message ?? 'it ended without a result';
    this.errors.push(meta?.driverError ?? `${test.name}: ${firstLine(message)}`);
  }

  onTestModuleEnd(module: TestModule): void {
    const area = path.basename(module.moduleId).replace(/\.suite\.[jt]s$/, '');
    for (const error of module.errors()) this.errors.push(`${area}: ${firstLine(error.message)}`);
    const runs = [...module.children.allTests()].flatMap((test) => test.meta().bridgeConformance?.run ?? []);
    if (runs.length > 0) this.#progress.areaEnded(area, runs, module.diagnostic().duration);
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    // What nobody waited for, thrown inside a worker: the subject's promise that nobody caught, or a worker that died.
    for (const error of unhandled) this.errors.push(`an error that nobody handled: ${firstLine(error.message)}`);
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

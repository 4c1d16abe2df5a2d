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
  /** Errors that have no test of their own. */
  readonly #errors: string[] = [];
  /** What went wrong in tests, and in which: an adapter that is wrong is wrong in many, and is told once. */
  readonly #inTests = new Map<string, string[]>();
  readonly #progress: Progress;
  readonly #watchdog: Watchdog;

  constructor(progress: Progress, watchdog: Watchdog) {
    this.#progress = progress;
    this.#watchdog = watchdog;
  }

  /** Errors of the way to the subject and of the suite itself: with one of them there is no verdict. */
  get errors(): readonly string[] {
    const inTests = [...this.#inTests].map(([message, [first = '', ...more]]) => `${first}${more.length > 0 ? ` and ${more.length} more` : ''}: ${message}`);
    return [...inTests, ...this.#errors];
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
    const told = meta?.driverError ?? firstLine(message);
    this.#inTests.set(told, [...(this.#inTests.get(told) ?? []), test.name]);
  }

  onTestModuleEnd(module: TestModule): void {
    const area = path.basename(module.moduleId).replace(/\.suite\.[jt]s$/, '');
    for (const error of module.errors()) this.#errors.push(`${area}: ${firstLine(error.message)}`);
    const runs = [...module.children.allTests()].flatMap((test) => test.meta().bridgeConformance?.run ?? []);
    if (runs.length > 0) this.#progress.areaEnded(area, runs, module.diagnostic().duration);
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    // What nobody waited for, thrown inside a worker: the subject's promise that nobody caught, or a worker that died.
    for (const error of unhandled) this.#errors.push(`an error that nobody handled: ${firstLine(error.message)}`);
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

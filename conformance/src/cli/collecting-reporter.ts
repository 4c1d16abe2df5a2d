/**
 * What vitest tells while it runs the suite, turned into runs and errors of the way to the subject.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import path from 'node:path';
import type { ConformanceMeta } from '../runner/describe.ts';
import type { DriverErrors } from '../runner/driver-error.ts';
import type { RunSummary } from '../runner/result.ts';
import type { Progress } from './progress.ts';
import type { Watchdog } from './watchdog.ts';

/** Collects what the tests report. */
export class CollectingReporter implements Reporter {
  readonly runs: RunSummary[] = [];
  readonly #errors: DriverErrors;
  readonly #progress: Progress;
  readonly #watchdog: Watchdog;
  /** What nobody handled, in the order in which it came. */
  readonly unhandled: string[] = [];

  /** @param errors takes what went wrong in tests and in loading them */
  constructor(progress: Progress, watchdog: Watchdog, errors: DriverErrors) {
    this.#progress = progress;
    this.#watchdog = watchdog;
    this.#errors = errors;
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
    } else if (meta?.name !== undefined) {
      const { driverError, driverErrorCode } = meta;
      this.#errors.add(driverErrorCode ?? 'suite', driverError ?? firstLine(test.result().errors?.[0]?.message ?? 'it ended without a result'), meta.name);
    }
    // Without a name nothing came back of it: its process died, which is told by the notes it left.
  }

  onTestModuleEnd(module: TestModule): void {
    const area = path.basename(module.moduleId).replace(/\.suite\.[jt]s$/, '');
    for (const error of module.errors()) this.#errors.add('suite', `${area}: ${firstLine(error.message)}`);
    const runs = [...module.children.allTests()].flatMap((test) => test.meta().bridgeConformance?.run ?? []);
    if (runs.length > 0) this.#progress.areaEnded(area, runs, module.diagnostic().duration);
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    // What nobody waited for, thrown inside a worker: the subject's promise that nobody caught, or a worker that died.
    this.unhandled.push(...unhandled.map((error) => firstLine(error.message)));
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

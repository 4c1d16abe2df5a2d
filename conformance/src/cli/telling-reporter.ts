/**
 * What vitest tells while it runs the suite, told on as news.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import path from 'node:path';
import type { RoundNews } from './round-news.ts';

/** Tells what the tests report, as it comes. */
export class TellingReporter implements Reporter {
  readonly #tell: (news: RoundNews) => void;
  /** What nobody handled, in the order in which it came. */
  readonly unhandled: string[] = [];

  constructor(tell: (news: RoundNews) => void) {
    this.#tell = tell;
  }

  onTestCaseReady(test: TestCase): void {
    this.#tell({ kind: 'began', name: test.name });
  }

  onTestCaseResult(test: TestCase): void {
    const meta = test.meta().bridgeConformance;
    const message = test.result().errors?.[0]?.message;
    this.#tell({ kind: 'ended', ...(meta === undefined ? {} : { meta }), ...(message === undefined ? {} : { message: firstLine(message) }) });
  }

  onTestModuleEnd(module: TestModule): void {
    const area = path.basename(module.moduleId).replace(/\.suite\.[jt]s$/, '');
    this.#tell({ kind: 'area', area, durationMs: module.diagnostic().duration, errors: module.errors().map((error) => firstLine(error.message)) });
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    // What nobody waited for, thrown inside a worker: the subject's promise that nobody caught, or a worker that died.
    this.unhandled.push(...unhandled.map((error) => firstLine(error.message)));
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

/** Reports about an invariant that nobody publishes, for tests of what is made of reports. */
import type { Verdict } from '../../src/checks/check.ts';
import type { BaselineOutcome } from '../../src/reporters/baseline-outcome.ts';
import { makeReport, type Report, type ReportInput } from '../../src/reporters/report.ts';
import type { DriverError } from '../../src/runner/driver-error.ts';
import type { RunSummary } from '../../src/runner/result.ts';
import { fakeDescription } from './fake-adapter.ts';
import { someInvariant } from './plans.ts';

/** A run with a verdict and nothing else. */
export const runWith = (verdict: Verdict, check = 'HOST-999/a'): RunSummary => ({
  check, invariant: 'HOST-999', target: 'fixture', verdict, message: '', seed: 1, durationMs: 5,
});

/** A property that failed, with all that a failure has; its texts hold what Markdown and XML take for their own. */
export const failedRun: RunSummary = {
  ...runWith('fail'), message: 'it broke', path: '3:0', counterexample: '"\u202E`"', shrinks: 2, failure: 'whole ```text', replay: 'npx suite replay HOST-999/a --seed 1',
};

/** An error of the way to the subject. */
export const driverError = (message: string): DriverError => ({ code: 'invalid-reply', message, runs: [{ check: 'HOST-999/a', target: 'fixture' }] });

/** A report of these runs. */
export function reportOf(runs: readonly RunSummary[], more: Partial<ReportInput> & { readonly strength?: 'MUST' | 'SHOULD' } = {}): Report {
  const { strength = 'MUST', ...input } = more;
  return makeReport({
    subject: fakeDescription, suite: { name: 'suite', version: '1' }, invariants: [{ ...someInvariant, strength }], runs, levels: ['core'],
    scope: 'whole', strict: false, seed: 1, startedAt: new Date(0), durationMs: 1000, driverErrors: [], ...input,
  });
}

/** What a baseline said: these are known, and what else is given. */
export function baselineOf({ known = [], ...more }: Partial<Omit<BaselineOutcome, 'known'>> & { readonly known?: readonly RunSummary[] }): BaselineOutcome {
  const entries = known.map(({ check, target }) => ({ check, target, reason: 'old clients' }));
  return { file: 'known.yaml', fixed: false, known: entries, stale: [], changed: [], unknown: [], ...more };
}

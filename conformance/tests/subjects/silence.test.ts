/**
 * Silence before a healthy call proves nothing, in either direction: a subject that says it is ready and does nothing passes
 * no check, and is failed by none.
 */
import { describe, expect, it } from 'vitest';
import { FEATURES, type BridgeAdapter } from '../../src/adapter/bridge-adapter.ts';
import type { Plan } from '../../src/runner/applicability.ts';
import { plansOf } from '../../src/runner/plans.ts';
import type { RunResult } from '../../src/runner/result.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { fakeAdapter, fakeDescription } from '../support/fake-adapter.ts';

/** They wait nearly all of the time, each with a subject of its own. */
const AT_ONCE = 80;
const LIMIT_MS = 300_000;
/** Milliseconds for one exercise: most have waited for everything by then, and the rest is in doubt as it should be. */
const EXERCISE_MS = 12_000;

const plans = plansOf({ targets: ['fixture'] }).filter(({ invariant }) => invariant.level === 'core');

/** Ready at once, whatever it is given; it declares everything and does nothing. */
const idle = (): BridgeAdapter => fakeAdapter({ describe: async () => ({ ...fakeDescription, features: [...FEATURES], options: ['reconnect'] }) });

async function verdicts(): Promise<RunResult[]> {
  const left = [...plans];
  const results: RunResult[] = [];
  const lane = async (): Promise<void> => {
    for (let plan = left.shift(); plan !== undefined; plan = left.shift()) results.push(await verdictOf(plan));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

async function verdictOf(plan: Plan): Promise<RunResult> {
  const worker = new SubjectWorker(idle);
  const { check: whole } = plan;
  const check = whole.kind === 'property' ? { ...whole, limitMs: EXERCISE_MS, runs: 1, minimums: {} } : { ...whole, limitMs: EXERCISE_MS };
  try {
    return await runCheck({ ...plan, check }, worker, { seed: 7, shrinkLimitMs: 0 });
  } finally {
    worker.discard();
  }
}

const told = (results: readonly RunResult[]): string[] => results.map(({ check, verdict, message }) => `${check} ${verdict}: ${message}`).sort();

describe('the core checks', () => {
  it('neither pass nor fail a subject that is ready at once and never does anything', async () => {
    const results = await verdicts();
    expect(results).toHaveLength(plans.length);
    expect(told(results.filter(({ verdict }) => verdict === 'pass'))).toEqual([]);
    expect(told(results.filter(({ verdict }) => verdict === 'fail'))).toEqual([]);
  }, LIMIT_MS);
});

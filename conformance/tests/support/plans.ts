/**
 * Checks that are not of the suite, for tests of the runner.
 */
import { nat } from 'fast-check';
import type { BridgeAdapter } from '../../src/adapter/bridge-adapter.ts';
import type { Invariant } from '../../src/catalogue/index.ts';
import { pass, property, scripted, type Check, type PropertyCheck, type ScriptedCheck } from '../../src/checks/check.ts';
import type { Plan } from '../../src/runner/applicability.ts';
import type { RunResult } from '../../src/runner/result.ts';
import { runCheck } from '../../src/runner/run-check.ts';
import type { RunOptions } from '../../src/runner/run-options.ts';
import { SubjectWorker } from '../../src/runner/subject-worker.ts';
import { fakeAdapter } from './fake-adapter.ts';

/** An invariant that nobody publishes. */
export const someInvariant: Invariant = {
  id: 'HOST-999',
  area: 'host',
  statement: 'The runner is judged here, not a bridge.',
  level: 'core',
  strength: 'MUST',
  sources: { requirements: ['S01'] },
};

/** The plan of a check against scripted servers. */
export function planOf(check: Check, invariant: Partial<Invariant> = {}): Plan {
  return { invariant: { ...someInvariant, ...invariant }, check, target: 'fixture' };
}

/** A scripted check that passes, unless overridden. */
export function scriptedCheck(overrides: Partial<Omit<ScriptedCheck, 'kind'>> = {}): ScriptedCheck {
  return scripted({
    id: 'HOST-999/scripted', invariant: 'HOST-999', exercise: async () => undefined, judge: () => pass('all is well'), ...overrides,
  });
}

/** A property over small numbers that passes, unless overridden. */
export function numbersCheck(overrides: Partial<Omit<PropertyCheck<number>, 'kind'>> = {}): PropertyCheck {
  return property<number>({
    id: 'HOST-999/numbers', invariant: 'HOST-999', arbitrary: nat(1000), runs: 50, labels: () => [], minimums: {},
    exercise: async () => undefined, judge: () => pass('all is well'), ...overrides,
  });
}

/** Runs a plan against a fake subject. */
export function run(plan: Plan, adapter: Partial<BridgeAdapter> = {}, options: Partial<RunOptions> = {}): Promise<RunResult> {
  return runCheck(plan, new SubjectWorker(() => fakeAdapter(adapter)), { seed: 7, ...options });
}

/**
 * One run: a check against a target, from applicability to verdict.
 */
import { NotApplicable } from '../bench/endings.ts';
import { nowMs } from '../history/clock.ts';
import { whyNotApplicable, judgedLevels, type Plan } from './applicability.ts';
import type { RunResult } from './result.ts';
import { mayBeTime } from './may-be-time.ts';
import type { RunOptions } from './run-options.ts';
import { runProperty } from './run-property.ts';
import { runScripted } from './run-scripted.ts';
import type { SubjectWorker } from './subject-worker.ts';
import { benchesOf } from './with-bench.ts';

/**
 * Runs one check against one target.
 * @throws AdapterError when the way to the subject is wrong, which is no verdict (exit code 2).
 */
export async function runCheck(plan: Plan, worker: SubjectWorker, options: RunOptions): Promise<RunResult> {
  const { check, target, invariant } = plan;
  const startedAtMs = nowMs();
  const base = { check: check.id, invariant: invariant.id, target, seed: options.seed };
  const done = (): { durationMs: number } => ({ durationMs: Math.round(nowMs() - startedAtMs) });
  const { subject } = await worker.live();
  const reason = whyNotApplicable(plan, subject, judgedLevels(subject, options.levels));
  if (reason !== undefined) return { ...base, verdict: 'not-applicable', message: reason, ...done() };
  const benches = benchesOf(worker);
  try {
    const outcome =
      check.kind === 'scripted'
        ? await runScripted(check, target, options.seed, benches)
        : await runProperty(check, options.seed, benches, options);
    const { judgement, cutShort: _cutShort, ...facts } = outcome;
    const evidence = judgement.evidence === undefined ? {} : { evidence: judgement.evidence };
    const slow = judgement.verdict === 'inconclusive' ? { mayBeTime: mayBeTime(outcome) } : {};
    return { ...base, verdict: judgement.verdict, message: judgement.message, ...facts, ...evidence, ...slow, ...done() };
  } catch (error) {
    if (error instanceof NotApplicable) return { ...base, verdict: 'not-applicable', message: error.message, ...done() };
    throw error;
  }
}

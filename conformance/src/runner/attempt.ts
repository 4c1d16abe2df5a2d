/**
 * One attempt: an exercise on a bench, bounded, then the judge on what was observed.
 */
import { isAdapterError } from '../adapter/bridge-adapter.ts';
import { BenchTimeout, NotApplicable, within } from '../bench/endings.ts';
import type { LiveBench } from '../bench/live-bench.ts';
import type { Check, Judgement } from '../checks/check.ts';
import { latestRun } from '../history/recorder.ts';
import type { History } from '../history/schema.ts';
import { EXERCISE_LIMIT_MS } from './limits.ts';
import { keepObserved } from './lost-run.ts';
import { judgeAttempt, type Ending } from './weigh.ts';

/** What one attempt gave. */
export interface Attempt {
  readonly judgement: Judgement;
  readonly history: History;
  /** The exercise did not come to its own end, so the bench and the adapter are in an unknown state. */
  readonly broken: boolean;
  /** How the exercise ended. */
  readonly ending: Ending;
}

/**
 * Exercises and judges. What comes after the exercise, the bench's own closing, is not in the judged history: a check
 * about closing closes by itself.
 * @throws NotApplicable and AdapterError: no verdict at all.
 */
export async function attempt(check: Check, bench: LiveBench, exercise: () => Promise<void>): Promise<Attempt> {
  const ending = await bounded(exercise, check.limitMs ?? EXERCISE_LIMIT_MS).catch(async (error: unknown) => {
    if (isAdapterError(error)) await keepObserved(error, bench);
    throw error;
  });
  if (ending.trouble !== undefined) bench.trouble(ending.trouble);
  await bench.flush();
  const history = latestRun(bench.history);
  const broken = ending.trouble !== undefined;
  return { judgement: judgeAttempt(check, history, ending), history, broken, ending };
}

async function bounded(exercise: () => Promise<void>, limitMs: number): Promise<Ending> {
  try {
    const ended = await within(exercise(), limitMs);
    return ended.reached ? {} : { trouble: `the exercise did not end within ${limitMs} ms`, overLimit: true };
  } catch (error) {
    if (error instanceof NotApplicable) throw error;
    if (isAdapterError(error)) {
      if (error.code === 'unsupported') throw new NotApplicable(error.message, { cause: error });
      throw error;
    }
    if (error instanceof BenchTimeout) return { trouble: error.message };
    return { trouble: `the exercise failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` };
  }
}

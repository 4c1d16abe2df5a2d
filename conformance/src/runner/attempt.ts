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

/** What one attempt gave. */
export interface Attempt {
  readonly judgement: Judgement;
  readonly history: History;
  /** The exercise did not come to its own end, so the bench and the adapter are in an unknown state. */
  readonly broken: boolean;
}

/** How the exercise ended, when not by itself. */
interface Ending {
  readonly trouble?: string;
  readonly overLimit?: boolean;
}

/**
 * Exercises and judges. What comes after the exercise, the bench's own closing, is not in the judged history: a check
 * about closing closes by itself.
 * @throws NotApplicable and AdapterError: no verdict at all.
 */
export async function attempt(check: Check, bench: LiveBench, exercise: () => Promise<void>): Promise<Attempt> {
  const ending = await bounded(exercise, check.limitMs ?? EXERCISE_LIMIT_MS);
  if (ending.trouble !== undefined) bench.trouble(ending.trouble);
  await bench.flush();
  const history = latestRun(bench.history);
  const broken = ending.trouble !== undefined;
  return { judgement: weigh(judge(check, history), ending), history, broken };
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

function judge(check: Check, history: History): Judgement {
  try {
    return check.judge(history);
  } catch (error) {
    return { verdict: 'inconclusive', message: `the judge itself failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A pass needs the whole exercise; a fail needs only the facts that show it, unless the exercise was cut off by its limit. */
function weigh(judgement: Judgement, ending: Ending): Judgement {
  if (ending.trouble === undefined) return judgement;
  if (judgement.verdict === 'fail' && ending.overLimit !== true) return judgement;
  return { ...judgement, verdict: 'inconclusive', message: `${firstLine(ending.trouble)}; the judge says: ${judgement.message}` };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

/**
 * From a history and the way its exercise ended to a judgement. Pure, so that a saved attempt is judged by the same code.
 */
import type { Check, Judgement } from '../checks/check.ts';
import type { History } from '../history/schema.ts';
import { wayHint } from './way-hint.ts';

/** How an exercise ended, when not by itself. */
export interface Ending {
  /** What went wrong. */
  readonly trouble?: string;
  /** It was cut off by its own limit: it is not known who was slow. */
  readonly overLimit?: boolean;
}

/** The judgement of one attempt. Never throws: a judge that fails is a doubt. */
export function judgeAttempt(check: Check, history: History, ending: Ending): Judgement {
  const weighed = weigh(judge(check, history), ending, history);
  return weighed.verdict === 'inconclusive' ? { ...weighed, message: `${weighed.message}${wayHint(history)}` } : weighed;
}

function judge(check: Check, history: History): Judgement {
  try {
    return check.judge(history);
  } catch (error) {
    return { verdict: 'inconclusive', message: `the judge itself failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * A pass needs the whole exercise; a fail needs only the facts that show it, unless the exercise was cut off by its limit, or the
 * subject did nothing at all: silence says something only after a sign that it was there, or that the stimulus reached a server.
 */
function weigh(judgement: Judgement, ending: Ending, history: History): Judgement {
  if (ending.trouble === undefined) return judgement;
  if (judgement.verdict === 'fail' && ending.overLimit !== true && gaveSign(history)) return judgement;
  return { ...judgement, verdict: 'inconclusive', message: `${firstLine(ending.trouble)}; the judge says: ${judgement.message}` };
}

/** Whether the subject did anything that was asked of it: settled a step, answered a call, offered a tool, or started a server. */
function gaveSign(history: History): boolean {
  return history.some((event) => {
    if (event.kind === 'settled') return event.error === undefined;
    if (event.kind === 'registry') return event.tools.length > 0;
    return event.kind === 'outcome' || event.kind === 'wire';
  });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

/**
 * What two tries say together (DESIGN.md §6, "Honest verdicts"): a failure is reported only when it recurs; a doubt may
 * be cleared up by the second try, and a failure that shows only then has to recur too, which it has no chance to.
 */
import type { Judgement } from '../checks/check.ts';
import type { History } from '../history/schema.ts';

/** One try: what the judge said, and of what. */
export interface Tried {
  readonly judgement: Judgement;
  readonly history: History;
}

/** A verdict with the histories behind it. */
export interface Outcome {
  readonly judgement: Judgement;
  readonly history: History;
  /** The second try's, where it was judged differently. */
  readonly again?: History;
  /** Of a property: the time was over before every input was tried. */
  readonly cutShort?: boolean;
}

/** The verdict of a first try and, when that did not pass, a second one. */
export function settleVerdict(first: Tried, second: Tried | undefined): Outcome {
  if (second === undefined) return { judgement: first.judgement, history: first.history };
  const [one, two] = [first.judgement, second.judgement];
  if (one.verdict === two.verdict) return { judgement: two, history: second.history };
  if (one.verdict === 'inconclusive' && two.verdict === 'pass') return { judgement: two, history: second.history };
  return {
    judgement: {
      verdict: 'inconclusive',
      message: `did not recur: at first ${one.verdict} (${one.message}), then ${two.verdict} (${two.message})`,
    },
    history: first.history,
    again: second.history,
  };
}

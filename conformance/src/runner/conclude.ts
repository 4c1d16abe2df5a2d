/**
 * What a property says when no input failed. Pure, so that a saved run is concluded by the same code.
 */
import type { PropertyCheck } from '../checks/check.ts';
import type { History } from '../history/schema.ts';
import { PROPERTY_LIMIT_MS } from './limits.ts';
import type { Outcome, Tried } from './second-try.ts';

/** How the inputs went. */
export interface InputTally {
  /** The first input that did not conclude. */
  readonly doubt: Outcome | undefined;
  readonly lastPass: Tried | undefined;
  /** The last input to which the check turned out not to apply. */
  readonly lastWithout: Tried | undefined;
  /** Inputs that were tried. */
  readonly inputs: number;
  /** How many inputs that concluded each label had. */
  readonly labels: Readonly<Record<string, number>>;
}

/**
 * What holds is a pass only with every input concluded and every label hit often enough. A check that applied to no input
 * has shown nothing, and does not apply.
 */
export function conclude({ runs, minimums }: Pick<PropertyCheck, 'runs' | 'minimums'>, tally: InputTally): Outcome {
  if (tally.doubt !== undefined) return tally.doubt;
  const history: History = tally.lastPass?.history ?? [];
  const doubtful = (message: string): Outcome => ({ judgement: { verdict: 'inconclusive', message }, history });
  if (tally.lastPass === undefined && tally.lastWithout !== undefined) return tally.lastWithout;
  if (tally.inputs < runs) return { ...doubtful(`only ${tally.inputs} of ${runs} inputs were tried within ${PROPERTY_LIMIT_MS} ms`), cutShort: true };
  const short = Object.entries(minimums).filter(([label, least]) => (tally.labels[label] ?? 0) < least);
  if (short.length > 0) {
    const list = short.map(([label, least]) => `${label}: ${tally.labels[label] ?? 0} of at least ${least}`).join(', ');
    return doubtful(`the inputs did not cover what they must: ${list}`);
  }
  return { judgement: { verdict: 'pass', message: `held for ${tally.inputs} inputs` }, history };
}

/**
 * What one run (a check against a target) gives, and how runs add up to an invariant's verdict.
 */
import type { Level } from '../adapter/messages.ts';
import type { Invariant, InvariantId } from '../catalogue/invariant.ts';
import type { Target, Verdict } from '../checks/check.ts';
import type { History } from '../history/schema.ts';
import type { RunName } from './suite-settings.ts';
import type { Trial } from './trial.ts';

/** One run as reports and reporters see it: plain JSON. */
export interface RunSummary {
  readonly check: string;
  readonly invariant: InvariantId;
  readonly target: Target;
  readonly verdict: Verdict;
  /** One sentence: the judge's, or why there is no verdict. */
  readonly message: string;
  readonly seed: number;
  /** Of a property that failed: fast-check's path to the shrunk input. */
  readonly path?: string;
  /** Of a property that failed: the shrunk input as text. */
  readonly counterexample?: string;
  /** Of a property: inputs that were tried, and steps of shrinking. */
  readonly inputs?: number;
  readonly shrinks?: number;
  /** Of a property: how many inputs each label had. */
  readonly labels?: Readonly<Record<string, number>>;
  readonly durationMs: number;
  /** Of a doubt: something was waited for in vain, or did not recur, so that a quieter machine may decide it. */
  readonly mayBeTime?: boolean;
  /** The whole failure text, ready to print. */
  readonly failure?: string;
  /** Saved histories, relative to the reports folder: the one that was judged, and the one of the second try. */
  readonly histories?: readonly string[];
  /** The whole saved run, for `analyze`, relative to the reports folder; or why it was not saved. */
  readonly run?: string;
  readonly runNotSaved?: string;
  /** The case file of a failure, relative to the reports folder. */
  readonly case?: string;
  /** One command that replays this run, of a run that failed or stayed in doubt. */
  readonly replay?: string;
}

/** One run with what was observed. */
export interface RunResult extends RunSummary {
  /** The history that was judged; absent when the check did not apply. */
  readonly history?: History;
  /** Positions in `history` that the judge named. */
  readonly evidence?: readonly number[];
  /** The history of the second try, when that one judged differently. */
  readonly again?: History;
  /** Every attempt the verdict was reached by; absent when the check did not apply, and in a replay. */
  readonly trials?: readonly Trial[];
}

/** One invariant over all its runs. */
export interface InvariantVerdict {
  readonly invariant: InvariantId;
  readonly level: Level;
  readonly strength: Invariant['strength'];
  readonly verdict: Verdict;
  readonly statement: string;
  readonly runs: readonly RunSummary[];
  /** Runs that errors of the way to the subject cost; absent when there is none. */
  readonly lost?: readonly RunName[];
}

/** From worst to best; `not-applicable` only where no run applied. */
const WORST_FIRST: readonly Verdict[] = ['fail', 'inconclusive', 'pass', 'not-applicable'];

/** The verdict of an invariant whose runs gave these: the worst of those that applied. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'not-applicable';
}

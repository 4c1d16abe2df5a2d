/**
 * A check is a pair: `exercise` makes a history, `judge` reads it (DESIGN.md §6). Exercises have effects; judges are pure.
 */
import type { Arbitrary } from 'fast-check';
import type { Bench } from '../bench/bench.ts';
import type { InvariantId } from '../catalogue/invariant.ts';
import type { History } from '../history/schema.ts';
import type { Pace } from './pace.ts';

/** What a check may say (DESIGN.md §2). */
export type Verdict = 'pass' | 'fail' | 'not-applicable' | 'inconclusive';

/** What a judge says of one history. */
export interface Judgement {
  readonly verdict: Verdict;
  /** One sentence that names the facts: what was seen, what was due. */
  readonly message: string;
  /** Positions in the history that show it. */
  readonly evidence?: readonly number[];
}

/** What a check works against. `fixture`: scripted servers; the others: real servers, with the truth from a client of ours. */
export type Target = 'fixture' | 'server-everything' | 'server-filesystem' | 'sdk-http';

/** What both kinds of check have. */
export interface CheckBase {
  /** Unique: the invariant and a word, `NAMING-001/hostile-names`. */
  readonly id: `${InvariantId}/${string}`;
  readonly invariant: InvariantId;
  /** Options of a server entry that the subject must honour; otherwise the check is not applicable. */
  readonly options?: readonly string[];
  /** Transports that a subject must speak for it, where they are not its invariant's; by default scripted servers are reached over stdio. */
  readonly transports?: readonly ('stdio' | 'streamable-http')[];
  /** Default: `['fixture']`. One run a target. */
  readonly targets?: readonly Target[];
  /** Milliseconds for one exercise, default 30 000; then it is inconclusive. */
  readonly limitMs?: number;
  /** Pure. `inconclusive` when the witness it names is not in the history. */
  judge(history: History): Judgement;
}

/** One scripted sequence. */
export interface ScriptedCheck extends CheckBase {
  readonly kind: 'scripted';
  exercise(bench: Bench, target: Target): Promise<void>;
}

/** A fast-check property: many sequences from one arbitrary, shrunk when one fails. */
export interface PropertyCheck<Input = unknown> extends CheckBase {
  readonly kind: 'property';
  readonly arbitrary: Arbitrary<Input>;
  /** How many inputs, before shrinking. */
  readonly runs: number;
  /** What an input is an example of. */
  labels(input: Input): readonly string[];
  /** How many inputs of a whole run each label needs at least; fewer make the check inconclusive. */
  readonly minimums: Readonly<Record<string, number>>;
  /** Once, before the first input: starts what all inputs use. */
  prepare?(bench: Bench): Promise<void>;
  /**
   * Milliseconds to make a failing input smaller, where a try takes long and a failure may leave something behind in the subject:
   * tries are made in haste, and each after one that failed begins with a new adapter. Default: the runner's limit, and neither.
   */
  readonly shrinkLimitMs?: number;
  /** For each input. The history handed to `judge` holds what `prepare` observed and this input's events. */
  exercise(bench: Bench, input: Input, pace: Pace): Promise<void>;
}

/** Any check. */
export type Check = ScriptedCheck | PropertyCheck;

/** Declares a scripted check. */
export function scripted(check: Omit<ScriptedCheck, 'kind'>): ScriptedCheck {
  return { kind: 'scripted', ...check };
}

/** Declares a property; the input's type is forgotten outside. */
export function property<Input>(check: Omit<PropertyCheck<Input>, 'kind'>): PropertyCheck {
  return { kind: 'property', ...check };
}

/** Says pass. */
export const pass = (message: string, evidence?: readonly number[]): Judgement => judgement('pass', message, evidence);
/** Says fail. */
export const fail = (message: string, evidence?: readonly number[]): Judgement => judgement('fail', message, evidence);
/** Says that the history does not hold what the check needs. */
export const inconclusive = (message: string, evidence?: readonly number[]): Judgement =>
  judgement('inconclusive', message, evidence);

function judgement(verdict: Verdict, message: string, evidence?: readonly number[]): Judgement {
  return evidence === undefined ? { verdict, message } : { verdict, message, evidence };
}

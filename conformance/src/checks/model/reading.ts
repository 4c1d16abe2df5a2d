/** How judges read a run: the plan, the steps as the model walks them, and which events belong to which step. */
import { barrierOf, eventsOf, ownEventsFrom, subjectOf, troubles } from '../../history/views.ts';
import type { History } from '../../history/schema.ts';
import type { SubjectDescription } from '../../adapter/messages.ts';
import { inconclusive, type Judgement } from '../check.ts';
import { barriers } from './barriers.ts';
import { describeStep, modelPlan, type ModelPlan } from './plan.ts';
import { rulesOf } from './rules.ts';
import { walk, type WalkedStep } from './walk.ts';

/** One step with the part of the history that belongs to it. */
export interface ReadStep extends WalkedStep {
  /** Position of its first event. */
  readonly from: number;
  /** Position after its last event. */
  readonly to: number;
  /** Whether it was performed to its end. */
  readonly done: boolean;
}

/** A run that began as planned. */
export interface ReadRun {
  readonly plan: ModelPlan;
  readonly subject: SubjectDescription;
  /** The steps that were begun. */
  readonly steps: readonly ReadStep[];
  /** Where the run's own events begin: before that is what `prepare` saw. */
  readonly from: number;
}

/** The plan of a run; `undefined` when there is none. */
export function planOf(history: History): ModelPlan | undefined {
  const run = history[ownEventsFrom(history)];
  const plan = modelPlan.safeParse(run?.kind === 'run' ? run.input : undefined);
  return plan.success ? plan.data : undefined;
}

/** Reads a history. A judgement instead, when there is nothing that could be judged. */
export function readRun(history: History): ReadRun | Judgement {
  const from = ownEventsFrom(history);
  const plan = planOf(history);
  if (plan === undefined) return inconclusive('the history has no run of a plan of the model');
  const subject = subjectOf(history);
  if (subject === undefined) return inconclusive('the history does not say what the subject declares');
  const start = barrierOf(history, barriers.start);
  if (start?.event.reached !== true) return inconclusive('the registry never came to hold the first list of the plan');
  return { plan, subject, from, steps: cut(history, start.index + 1, walk(plan, rulesOf(subject))) };
}

/** The same judge, which lets no run pass that could not go on to its end. What it did show may still be wrong. */
export function ofWholeRuns(judge: (history: History) => Judgement): (history: History) => Judgement {
  return (history) => {
    const judgement = judge(history);
    const trouble = troubles(history).at(-1);
    if (trouble === undefined || judgement.verdict === 'fail' || judgement.verdict === 'inconclusive') return judgement;
    return inconclusive(`the exercise could not go on: ${trouble.event.message}`, [trouble.index]);
  };
}

/** Whether reading ended in a judgement. */
export function isJudgement(value: ReadRun | Judgement): value is Judgement {
  return 'verdict' in value;
}

/** Where in the plan something happened, for a message. */
export function placeOf(step: WalkedStep, plan: ModelPlan): string {
  const held = step.before.listing === undefined ? '' : ', a listing held';
  const { length } = step.parts;
  return `in step ${step.index} of ${plan.steps.length + 2 * length} (${describeStep(step.step)}${held}; server ${step.before.phase})`;
}

function cut(history: History, first: number, walked: readonly WalkedStep[]): ReadStep[] {
  const ends = new Map(eventsOf(history, 'barrier').map(({ index, event }) => [event.what, index]));
  const steps: ReadStep[] = [];
  let from = first;
  for (const one of walked) {
    const end = ends.get(barriers.step(one.index));
    steps.push({ ...one, from, to: end ?? history.length, done: end !== undefined });
    if (end === undefined) break;
    from = end + 1;
  }
  return steps;
}

/** Plans by chance: what each check's runs are weighted towards, and what a plan is an example of. */
import * as fc from 'fast-check';
import { MAX_UNDER_WAY, RAW_NAMES, type ModelPlan, type ModelStep } from './plan.ts';
import { ShrinkablePlans } from './shrinking.ts';
import { onlyApplicable } from './walk.ts';

/** Short stories that chance alone tells too rarely. Each of their steps may be missing. */
export type Scene =
  | 'announced' | 'renamed' | 'overlapped' | 'failed-listing' | 'out-of-order' | 'over-a-change' | 'call-in-listing' | 'cancelled'
  | 'crash-in-call' | 'crash-in-listing' | 'left-while-held' | 'left-when-dead';

/** Stories of two servers: something is held at one of them while something happens to the other, or to both. */
export type Meeting =
  | 'changed-beside-a-listing' | 'lost-beside-a-listing' | 'lost-beside-a-call' | 'called-beside-a-listing' | 'same-name-called' | 'disposed';

/** How often each of these is drawn, relative to the others. What is left out is never drawn. */
export type Weights<What> = readonly (readonly [what: What, weight: number])[];

const pick = fc.nat({ max: 5 });
const change: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('change'), edit: fc.constantFrom('add', 'remove', 'alter', 'rename'), pick });
/** A change after which the list lacks a name that it had. */
const lessen: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('change'), edit: fc.constantFrom('remove', 'rename'), pick });
const rename: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('change'), edit: fc.constant('rename'), pick });
const announce: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('notify'), times: fc.constantFrom(1, 3, 5) });
const hold = (ends: fc.Arbitrary<'answer' | 'error'>): fc.Arbitrary<ModelStep> =>
  fc.record({ do: fc.constant('hold'), page: fc.constantFrom('first', 'last'), ends });
const holdAny = hold(fc.constantFrom('answer', 'answer', 'error'));
const release: fc.Arbitrary<ModelStep> = fc.constant({ do: 'release' });
const call: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('call'), pick });
const start: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('start'), pick });
const finish: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('finish'), pick });
const finishNewest: fc.Arbitrary<ModelStep> = fc.constant({ do: 'finish', pick: MAX_UNDER_WAY - 1 });
const cancel: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('cancel'), pick });
const crash: fc.Arbitrary<ModelStep> = fc.constant({ do: 'crash' });
const reload: fc.Arbitrary<ModelStep> = fc.constant({ do: 'reload' });
const remove: fc.Arbitrary<ModelStep> = fc.constant({ do: 'remove' });
const add: fc.Arbitrary<ModelStep> = fc.constant({ do: 'add' });
const dispose: fc.Arbitrary<ModelStep> = fc.constant({ do: 'dispose' });
const open: fc.Arbitrary<ModelStep> = fc.constant({ do: 'open' });
const leave = fc.oneof(reload, remove);
const lose = fc.oneof(crash, crash, leave);

const stories: { readonly [K in ModelStep['do'] | Scene]: readonly fc.Arbitrary<ModelStep>[] } = {
  change: [change], notify: [announce], hold: [holdAny], release: [release], call: [call], start: [start], finish: [finish],
  cancel: [cancel], crash: [crash], reload: [reload], remove: [remove], add: [add],
  dispose: [dispose], open: [open],
  announced: [change, announce],
  renamed: [rename, announce],
  overlapped: [holdAny, change, announce, release],
  'failed-listing': [hold(fc.constant('error')), change, release, change, announce],
  'out-of-order': [start, start, finishNewest, cancel],
  'over-a-change': [start, change, announce, finish],
  'call-in-listing': [start, holdAny, call, change, release, announce, finish],
  cancelled: [start, cancel],
  'crash-in-call': [start, crash, call, reload],
  'crash-in-listing': [holdAny, change, crash, reload],
  'left-while-held': [start, holdAny, leave, add],
  'left-when-dead': [crash, leave, add],
};

/** The same step at the server that is not the first of its story. */
const there = (step: fc.Arbitrary<ModelStep>): fc.Arbitrary<ModelStep> => step.map((one) => moved(one, 1));

const encounters: { readonly [K in Meeting]: readonly fc.Arbitrary<ModelStep>[] } = {
  'changed-beside-a-listing': [holdAny, there(change), there(announce), release],
  'lost-beside-a-listing': [holdAny, there(lose), release, there(add)],
  'lost-beside-a-call': [start, there(start), there(lose), finish, there(add)],
  'called-beside-a-listing': [holdAny, there(call), release],
  'same-name-called': [start, there(start), finish, there(finish)],
  disposed: [start, there(start), there(holdAny), dispose, lessen, there(lessen), open],
};

/** How many times more often a step of a scene is there than not. */
const PRESENT = 24;

/** Tools a page: one list is several pages, or always a single one. */
export const PAGE_SIZES = { several: [2, 1], one: [RAW_NAMES.length] } as const;

/** What plans are made of. */
export interface PlanKind {
  readonly weights: Weights<ModelStep['do'] | Scene>;
  readonly meetings: Weights<Meeting>;
  /** The most steps and scenes as drawn; at least a third of that. */
  readonly longest: number;
  /** How many times more often two servers meet in a plan than not. */
  readonly meeting: number;
  /** `one` where pages play no part: then a bridge that reads the first page only is judged by what the check is about. */
  readonly pages: keyof typeof PAGE_SIZES;
}

/** Plans of steps that apply, weighted. Where two servers meet, the other stories of the plan happen at either. */
export function plans(kind: PlanKind): fc.Arbitrary<ModelPlan> {
  return new ShrinkablePlans(drawn(kind));
}

function drawn({ weights, meetings, longest, meeting, pages }: PlanKind): fc.Arbitrary<ModelPlan> {
  const story = fc.record({
    steps: fc.oneof(...weights.map(([what, weight]) => ({ weight, arbitrary: told(stories[what]) }))),
    at: fc.constantFrom(0, 0, 1),
  });
  const met = fc.record({
    steps: fc.oneof(...meetings.map(([what, weight]) => ({ weight, arbitrary: told(encounters[what]) }))),
    at: fc.constantFrom(0, 1),
    after: fc.nat({ max: longest }),
  });
  return fc
    .record({
      base: fc.integer({ min: 0, max: 1_000_000 }).map((value) => value * 1_000),
      together: fc.option(met, { nil: undefined, freq: meeting }),
      alone: fc.array(story, { minLength: Math.ceil(longest / 3), maxLength: longest, size: 'max' }),
      size: fc.integer({ min: 2, max: RAW_NAMES.length - 1 }),
      pageSize: fc.constantFrom(...PAGE_SIZES[pages]),
    })
    .map(({ alone, together, ...plan }) => {
      if (together === undefined) return onlyApplicable({ ...plan, steps: alone.flatMap(({ steps }) => steps) });
      const scenes = alone.toSpliced(together.after, 0, together);
      return onlyApplicable({ ...plan, steps: scenes.flatMap(({ steps, at }) => steps.map((step) => moved(step, at))) });
    });
}

function told(story: readonly fc.Arbitrary<ModelStep>[]): fc.Arbitrary<readonly ModelStep[]> {
  const [only, ...more] = story;
  if (only !== undefined && more.length === 0) return only.map((step) => [step]);
  return fc
    .tuple(...story.map((step) => fc.option(step, { nil: undefined, freq: PRESENT })))
    .map((steps) => steps.filter((step) => step !== undefined));
}

/** The step at the server that is so many further; after the last comes the first. */
function moved(step: ModelStep, by: number): ModelStep {
  if (step.do === 'dispose' || step.do === 'open') return step;
  const { on = 0, ...rest } = step;
  return (on + by) % 2 === 0 ? rest : { ...rest, on: 1 };
}

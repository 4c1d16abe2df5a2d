/** Plans by chance: what each check's runs are weighted towards, and what a plan is an example of. */
import * as fc from 'fast-check';
import { MAX_UNDER_WAY, RAW_NAMES, type ModelPlan, type ModelStep } from './plan.ts';
import { onlyApplicable, walk } from './walk.ts';

/** Short stories that chance alone tells too rarely. Each of their steps may be missing, and is when a failure is shrunk. */
export type Scene =
  | 'announced' | 'overlapped' | 'failed-listing' | 'out-of-order' | 'over-a-change' | 'call-in-listing' | 'cancelled'
  | 'crash-in-call' | 'crash-in-listing' | 'left-while-held' | 'left-when-dead';

/** How often each step and scene is drawn, relative to the others. What is left out is never drawn. */
export type Weights = readonly (readonly [what: ModelStep['do'] | Scene, weight: number])[];

const pick = fc.nat({ max: 5 });
const change: fc.Arbitrary<ModelStep> = fc.record({ do: fc.constant('change'), edit: fc.constantFrom('add', 'remove', 'alter'), pick });
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
const leave = fc.oneof(reload, remove);

const stories: { readonly [K in ModelStep['do'] | Scene]: readonly fc.Arbitrary<ModelStep>[] } = {
  change: [change], notify: [announce], hold: [holdAny], release: [release], call: [call], start: [start], finish: [finish],
  cancel: [cancel], crash: [crash], reload: [reload], remove: [remove], add: [add],
  announced: [change, announce],
  overlapped: [holdAny, change, announce, release],
  'failed-listing': [hold(fc.constant('error')), change, release, change, announce],
  'out-of-order': [start, start, finishNewest],
  'over-a-change': [start, change, announce, finish],
  'call-in-listing': [holdAny, call, release],
  cancelled: [start, cancel],
  'crash-in-call': [start, crash, call, reload],
  'crash-in-listing': [holdAny, change, crash, reload],
  'left-while-held': [start, holdAny, leave, add],
  'left-when-dead': [crash, leave, add],
};

/** How many times more often a step of a scene is there than not. */
const PRESENT = 24;

/** Tools a page: one list is several pages, or always a single one. */
export const PAGE_SIZES = { several: [2, 1], one: [RAW_NAMES.length] } as const;

/** Plans of steps that apply, weighted; at most `longest` steps and scenes as drawn, at least a third of that. */
export function plans(weights: Weights, longest: number, pages: keyof typeof PAGE_SIZES = 'several'): fc.Arbitrary<ModelPlan> {
  const story = fc.oneof(...weights.map(([what, weight]) => ({ weight, arbitrary: told(stories[what]) })));
  return fc
    .record({
      // Not shrunk: two runs with one base would list the same tools, and what is left of one could pass for the other.
      base: fc.noShrink(fc.integer({ min: 0, max: 1_000_000 }).map((value) => value * 1_000)),
      size: fc.integer({ min: 2, max: RAW_NAMES.length - 1 }),
      pageSize: fc.constantFrom(...PAGE_SIZES[pages]),
      steps: fc.array(story, { minLength: Math.ceil(longest / 3), maxLength: longest, size: 'max' }),
    })
    .map(({ steps, ...plan }) => onlyApplicable({ ...plan, steps: steps.flat() }));
}

function told(story: readonly fc.Arbitrary<ModelStep>[]): fc.Arbitrary<readonly ModelStep[]> {
  const [only, ...more] = story;
  if (only !== undefined && more.length === 0) return only.map((step) => [step]);
  return fc
    .tuple(...story.map((step) => fc.option(step, { nil: undefined, freq: PRESENT })))
    .map((steps) => steps.filter((step) => step !== undefined));
}

/** What a plan is an example of. */
export function labelsOf(plan: ModelPlan): readonly string[] {
  const walked = walk(plan, { recovers: false, follows: true });
  const labels: (readonly [string, boolean])[] = [
    ['changed list announced', walked.some(({ step, before, after }) => step.do === 'notify' && before.due < after.due)],
    ['change announced while a listing is held', walked.some(({ step, before, after }) =>
      step.do === 'notify' && before.listing !== undefined && before.listing.snapshot < (after.listing?.announced ?? 0))],
    ['held listing fails', walked.some(({ step, before }) => step.do === 'release' && before.listing?.ends === 'error')],
    ['listing of several pages held', walked.some(({ step, before }) =>
      step.do === 'hold' && (before.lists.at(-1)?.length ?? 0) > plan.pageSize)],
    ['call while a listing is held', walked.some(({ step, before }) =>
      (step.do === 'call' || step.do === 'start') && before.listing !== undefined && before.phase === 'live')],
    ['calls answered out of order', walked.some(({ step, before }) =>
      step.do === 'finish' && before.underWay.length > 1 && step.pick % before.underWay.length > 0)],
    ['call over a change of its list', overChange(walked)],
    ['crash during a call', walked.some(({ step, before }) => step.do === 'crash' && before.underWay.length > 0)],
    ['crash while a listing is held', walked.some(({ step, before }) => step.do === 'crash' && before.listing !== undefined)],
    ['call after a crash', walked.some(({ step, before }) => step.do === 'call' && before.phase === 'dead')],
    ['cancelled call', walked.some(({ step }) => step.do === 'cancel')],
    ['given up while something is held', walked.some(({ step, before }) =>
      (step.do === 'remove' || step.do === 'reload') && (before.listing !== undefined || before.underWay.length > 0))],
    ['given up when dead', walked.some(({ step, before }) => (step.do === 'remove' || step.do === 'reload') && before.phase === 'dead')],
    ['given up and taken again', walked.some(({ step }) => step.do === 'add')],
  ];
  return labels.flatMap(([label, holds]) => (holds ? [label] : []));
}

/** Whether a call began with one list and was answered with a newer one announced. */
function overChange(walked: ReturnType<typeof walk>): boolean {
  return walked.some(({ step, before }) => {
    if (step.do !== 'finish') return false;
    const begun = walked.findLast((one) => one.step.do === 'start' && one.after.underWay.some((name) => before.underWay.includes(name)));
    return begun !== undefined && begun.after.due < before.due;
  });
}

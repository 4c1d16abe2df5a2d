/** Plans by chance: what each check's runs are weighted towards, and what a plan is an example of. */
import * as fc from 'fast-check';
import { RAW_NAMES, type ModelPlan, type ModelStep } from './plan.ts';
import { onlyApplicable, walk } from './walk.ts';

/** How often each step is drawn, relative to the others. A step that is left out is never drawn. */
export type Weights = readonly (readonly [step: ModelStep['do'], weight: number])[];

/** The shortest and longest plan as drawn, before steps that do not apply are left out. */
interface Length {
  readonly minLength: number;
  readonly maxLength: number;
}

const pick = fc.nat({ max: 5 });

/** Small values first: fast-check shrinks towards them. */
const stepArbitraries: { readonly [K in ModelStep['do']]: fc.Arbitrary<ModelStep> } = {
  change: fc.record({ do: fc.constant('change'), edit: fc.constantFrom('add', 'remove', 'alter'), pick }),
  notify: fc.record({ do: fc.constant('notify'), times: fc.constantFrom(1, 2, 5) }),
  hold: fc.record({ do: fc.constant('hold'), page: fc.constantFrom('first', 'last'), ends: fc.constantFrom('answer', 'answer', 'error') }),
  release: fc.constant({ do: 'release' }),
  call: fc.record({ do: fc.constant('call'), pick }),
  start: fc.record({ do: fc.constant('start'), pick }),
  finish: fc.record({ do: fc.constant('finish'), pick }),
  cancel: fc.record({ do: fc.constant('cancel'), pick }),
  crash: fc.constant({ do: 'crash' }),
  reload: fc.constant({ do: 'reload' }),
  remove: fc.constant({ do: 'remove' }),
  add: fc.constant({ do: 'add' }),
};

/** Plans of steps that apply, weighted. */
export function plans(weights: Weights, { minLength, maxLength }: Length): fc.Arbitrary<ModelPlan> {
  const step = fc.oneof(
    ...weights.map(([name, weight]) => ({ weight, arbitrary: stepArbitraries[name] })),
  );
  return fc
    .record({
      // Not shrunk: two runs with one base would list the same tools, and what is left of one could pass for the other.
      base: fc.noShrink(fc.integer({ min: 0, max: 1_000_000 }).map((value) => value * 1_000)),
      size: fc.integer({ min: 1, max: RAW_NAMES.length - 1 }),
      pageSize: fc.constantFrom(2, 1, 3),
      steps: fc.array(step, { minLength, maxLength, size: 'max' }),
    })
    .map(onlyApplicable);
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

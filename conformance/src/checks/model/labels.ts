/** What a plan is an example of. */
import type { ModelPlan, ModelStep } from './plan.ts';
import { CAPABLE } from './rules.ts';
import type { ModelList, ModelState } from './state.ts';
import { walk, type WalkedStep } from './walk.ts';

const LEAVING: ReadonlySet<ModelStep['do']> = new Set(['remove', 'reload', 'dispose']);
/** What ends one server and leaves the others. */
const LOSING: ReadonlySet<ModelStep['do']> = new Set(['remove', 'reload', 'crash']);

/** What a plan is an example of. */
export function labelsOf(plan: ModelPlan): readonly string[] {
  const walked = walk(plan, CAPABLE);
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
    ['renamed tool announced', walked.some(({ step, before, after }) => step.do === 'notify' && before.due < after.due && isRenamed(after.lists, before.due))],
    ['change announced while another listing is held', walked.some((one) =>
      one.step.do === 'notify' && one.before.due < one.after.due && others(one).some(({ listing }) => listing !== undefined))],
    ['server lost while another listing is held', walked.some((one) => LOSING.has(one.step.do) && others(one).some(({ listing }) => listing !== undefined))],
    ['server lost while a call is under way at another', walked.some((one) => LOSING.has(one.step.do) && others(one).some(({ underWay }) => underWay.length > 0))],
    ['disposed while calls are under way at two servers', walked.some(({ step, parts }) =>
      step.do === 'dispose' && parts.filter(({ before }) => before.underWay.length > 0).length > 1)],
    ['list changed while all is closed', walked.some(({ step, before }) => step.do === 'change' && before.phase === 'closed')],
    ['cancelled call', walked.some(({ step }) => step.do === 'cancel')],
    ['given up while something is held', walked.some(({ step, before }) =>
      LEAVING.has(step.do) && (before.listing !== undefined || before.underWay.length > 0))],
    ['given up when dead', walked.some(({ step, before }) => LEAVING.has(step.do) && before.phase === 'dead')],
    ['given up and taken again', walked.some(({ step }) => step.do === 'add' || step.do === 'open')],
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

/** The servers that a step is not about, as they were. */
function others({ parts }: WalkedStep): readonly ModelState[] {
  return parts.filter(({ isReached }) => !isReached).map(({ before }) => before);
}

/** Whether a later list than this one has the tool of the one before it under another name. */
function isRenamed(lists: readonly ModelList[], due: number): boolean {
  return lists.some((list, number) => number > due && list.some(({ raw, version }, at) => {
    const before = lists[number - 1]?.[at];
    return before !== undefined && before.version === version && before.raw !== raw && !list.some((tool) => tool.raw === before.raw);
  }));
}

/**
 * Plans made smaller. Each try may cost a whole wait, so what takes most away comes first: a whole server, halves of the steps,
 * smaller parts down to single steps, then what the steps say, then the lists. What failed is gone on from, not begun anew with.
 * Where it fails without vain announcements too, none comes in by the way: a case could not tell of such a race.
 */
import { Arbitrary, stream, Value, type Random, type Stream } from 'fast-check';
import { modelPlan, serverOf, type ModelPlan, type ModelStep } from './plan.ts';
import { onlyApplicable, withoutVain } from './walk.ts';

/** The least tools of a list that a plan is made smaller to: with one alone nothing can be removed. */
const LEAST_SIZE = 2;
/** From one try to the next, so that what is left of one does not pass for the other. */
const BASES_APART = 1_000;

/** What is done to a plan, from the coarse to the fine. */
type Way =
  | { readonly way: 'servers' }
  /** Takes so many steps out, the last of which is this far from the end. `again`: one by one, some were taken out in this round. */
  | { readonly way: 'parts'; readonly length: number; readonly fromEnd: number; readonly again: boolean }
  | { readonly way: 'words'; readonly from: number }
  | { readonly way: 'lists' };

/** How shrinking stands. */
interface Progress {
  readonly way: Way;
  /** Vain announcements are left out. */
  readonly isTidy: boolean;
}

/** A smaller plan, and how to go on if it fails. */
interface Smaller<Next> {
  readonly plan: ModelPlan;
  readonly next: Next;
}

/** Draws as the given arbitrary does, and makes plans smaller by the module's order. */
export class ShrinkablePlans extends Arbitrary<ModelPlan> {
  readonly #drawn: Arbitrary<ModelPlan>;

  constructor(drawn: Arbitrary<ModelPlan>) {
    super();
    this.#drawn = drawn;
  }

  override generate(random: Random, bias: number | undefined): Value<ModelPlan> {
    return new Value(this.#drawn.generate(random, bias).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is ModelPlan {
    return modelPlan.safeParse(value).success;
  }

  /** @param progress where to go on, as an earlier one gave it; from the beginning without */
  override shrink(plan: ModelPlan, progress: unknown): Stream<Value<ModelPlan>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a context is what this class gave fast-check
    return stream(values(plan, progress as Progress | undefined));
  }
}

function* values(plan: ModelPlan, progress: Progress | undefined): IterableIterator<Value<ModelPlan>> {
  let base = plan.base;
  for (const smaller of smallerThan(plan, progress)) {
    base += BASES_APART;
    yield new Value({ ...smaller.plan, base }, smaller.next);
  }
}

/** Every smaller plan that is tried, in order, from where shrinking stands. */
export function* smallerThan(plan: ModelPlan, progress?: Progress): IterableIterator<Smaller<Progress>> {
  const tidied = withoutVain(plan);
  const isTidy = progress?.isTidy ?? tidied.steps.length === plan.steps.length;
  const way = progress?.way ?? { way: 'servers' };
  if (progress === undefined && !isTidy) yield { plan: tidied, next: { way, isTidy: true } };
  for (const { plan: smaller, next } of byWay(plan, way)) {
    for (const one of isTidy ? changed(smaller, withoutVain(smaller).steps, plan) : [smaller]) yield { plan: one, next: { way: next, isTidy } };
  }
}

function* byWay(plan: ModelPlan, way: Way): IterableIterator<Smaller<Way>> {
  switch (way.way) {
    case 'servers':
      yield* ofOneServer(plan).map((smaller) => ({ plan: smaller, next: inHalves(smaller) }));
      yield* withoutParts(plan, inHalves(plan));
      break;
    case 'parts':
      yield* withoutParts(plan, way);
      break;
    case 'words':
      yield* inFewerWords(plan, way.from);
      break;
    case 'lists':
      yield* withShorterLists(plan);
  }
}

function inHalves({ steps }: ModelPlan): Extract<Way, { way: 'parts' }> {
  return { way: 'parts', length: Math.max(1, Math.ceil(steps.length / 2)), fromEnd: 0, again: false };
}

/** What the plan does to each server alone. */
function ofOneServer(plan: ModelPlan): ModelPlan[] {
  if (!plan.steps.some((step) => serverOf(step) === 1)) return [];
  return ([0, 1] as const).flatMap((server) =>
    changed(plan, plan.steps.filter((step) => isOfAll(step) || serverOf(step) === server).map((step) => atFirst(step))));
}

function* withoutParts(plan: ModelPlan, begin: Extract<Way, { way: 'parts' }>): IterableIterator<Smaller<Way>> {
  const count = plan.steps.length;
  let { length, fromEnd, again } = begin;
  for (;;) {
    for (; fromEnd < count; fromEnd += length) {
      const end = count - fromEnd;
      const left = [...plan.steps.slice(0, Math.max(0, end - length)), ...plan.steps.slice(end)];
      for (const smaller of changed(plan, left)) yield { plan: smaller, next: { way: 'parts', length, fromEnd, again: length === 1 } };
    }
    fromEnd = 0;
    // Without what was taken out in this round, a step may be needless that was not before.
    if (length === 1 && !again) break;
    again = false;
    length = Math.ceil(length / 2);
  }
  yield* inFewerWords(plan, 0);
}

/** Each says something in a simpler way, at all steps or at one. */
const WORDS: readonly ((step: ModelStep) => ModelStep)[] = [
  (step) => ('pick' in step ? { ...step, pick: 0 } : step),
  (step) => (step.do === 'notify' ? { ...step, times: 1 } : step),
  (step) => (step.do === 'hold' ? { ...step, page: 'first' } : step),
  (step) => (step.do === 'hold' ? { ...step, ends: 'answer' } : step),
];

function* inFewerWords(plan: ModelPlan, from: number): IterableIterator<Smaller<Way>> {
  const { length } = plan.steps;
  const edits = WORDS.flatMap((word) => [plan.steps.map(word), ...(length === 1 ? [] : plan.steps.map((step, at) => plan.steps.with(at, word(step))))]);
  for (const [index, steps] of edits.entries()) {
    if (index < from) continue;
    for (const smaller of changed(plan, steps)) yield { plan: smaller, next: { way: 'words', from: index + 1 } };
  }
  yield* withShorterLists(plan);
}

function* withShorterLists(plan: ModelPlan): IterableIterator<Smaller<Way>> {
  for (const size of new Set([LEAST_SIZE, plan.size - 1])) {
    if (size < plan.size && size >= LEAST_SIZE) yield* changed({ ...plan, size }, plan.steps, plan).map((smaller) => ({ plan: smaller, next: { way: 'lists' } as const }));
  }
}

/** The plan with these steps, unless it is the same; none that cannot come any more. */
function changed(plan: ModelPlan, steps: readonly ModelStep[], before = plan): ModelPlan[] {
  const smaller = onlyApplicable({ ...plan, steps: [...steps] });
  return JSON.stringify(smaller) === JSON.stringify(before) ? [] : [smaller];
}

function isOfAll({ do: what }: ModelStep): boolean {
  return what === 'dispose' || what === 'open';
}

function atFirst(step: ModelStep): ModelStep {
  if (!('on' in step)) return step;
  const { on: _on, ...rest } = step;
  return rest;
}

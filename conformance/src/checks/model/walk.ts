import { serverOf, type ModelPlan, type ModelStep } from './plan.ts';
import { CAPABLE, type ModelRules } from './rules.ts';
import { serversOf } from './servers.ts';
import { advance, applies, firstState, settles, type ModelState } from './state.ts';

/** What one step means for one server. */
export interface Part {
  /** The step is about it, alone or with all the others. */
  readonly isReached: boolean;
  readonly before: ModelState;
  readonly after: ModelState;
}

/** One step that is performed, with the model on both sides of it. */
export interface WalkedStep {
  /** Its position among the steps that are performed. */
  readonly index: number;
  readonly step: ModelStep;
  /** Number of the server that it is about; the first one where it is about all. */
  readonly at: number;
  /** That server before it. */
  readonly before: ModelState;
  /** That server after it. */
  readonly after: ModelState;
  /** Every server of the plan, by number. */
  readonly parts: readonly Part[];
}

/**
 * The steps of a plan that apply, one after the other, and then those that leave nothing open: held things are released
 * and, where a server lives, a healthy call comes last.
 */
export function walk(plan: ModelPlan, rules: ModelRules): readonly WalkedStep[] {
  const walker = new Walker(plan, rules);
  const walked: WalkedStep[] = [];
  const take = (step: ModelStep): void => {
    const taken = walker.take(step);
    if (taken !== undefined) walked.push(taken);
  };
  const servers = ([0, 1] as const).slice(0, walker.states.length);
  // A healthy call of each server comes first.
  for (const on of servers) take({ do: 'call', pick: 0, on });
  plan.steps.forEach(take);
  for (const on of servers) {
    take({ do: 'release', on });
    while ((walker.states[on]?.underWay.length ?? 0) > 0) take({ do: 'finish', pick: 0, on });
  }
  for (const on of servers) take({ do: 'call', pick: 0, on });
  return walked;
}

/** The plan without the steps that would not apply: what is left when a counterexample was shrunk is all there is to it. */
export function onlyApplicable(plan: ModelPlan): ModelPlan {
  const walker = new Walker(plan, CAPABLE);
  return { ...plan, steps: plan.steps.filter((step) => walker.take(step) !== undefined) };
}

/** The plan without announcements of nothing new while nothing is held: what meets the listing that follows does so by timing alone. */
export function withoutVain(plan: ModelPlan): ModelPlan {
  const walker = new Walker(plan, CAPABLE);
  const isVain = (step: ModelStep): boolean => {
    const taken = walker.take(step);
    return step.do === 'notify' && taken?.before.listing === undefined && taken?.before.due === taken?.after.due;
  };
  return { ...plan, steps: plan.steps.filter((step) => !isVain(step)) };
}

/** The servers whose tools the registry must come to hold as they are due after a step. */
export function settling({ parts }: Pick<WalkedStep, 'parts'>, rules: ModelRules): readonly Part[] {
  return waits(parts.map(({ after }) => after), rules) ? [] : parts.filter(({ after }) => settles(after));
}

/** Whether a look at the registry would wait for a listing that is held. */
export function waits(states: readonly ModelState[], { pulls }: ModelRules): boolean {
  return pulls && states.some(({ listing }) => listing !== undefined);
}

/** Takes steps one by one, and leaves out those that do not apply. */
class Walker {
  states: readonly ModelState[];
  readonly #rules: ModelRules;
  #taken = 0;

  constructor(plan: ModelPlan, rules: ModelRules) {
    this.#rules = rules;
    this.states = serversOf(plan, rules).map((server) => firstState(plan, server));
  }

  take(given: ModelStep): WalkedStep | undefined {
    // A subject of one server has no second one.
    if (this.states[serverOf(given)] === undefined) return undefined;
    const step = meant(given, this.#rules);
    const at = serverOf(step);
    const addressed = this.states[at];
    if (addressed === undefined || !applies(addressed, step) || !this.#canFollow(step)) return undefined;
    const index = this.#taken;
    const parts = this.states.map((before, number): Part => {
      const isReached = number === at || reachesAll(step, this.#rules);
      return { isReached, before, after: isReached ? advance(before, step, index, this.#rules) : before };
    });
    this.#taken += 1;
    this.states = parts.map(({ after }) => after);
    return { index, step, at, before: addressed, after: this.states[at] ?? addressed, parts };
  }

  #canFollow({ do: what }: ModelStep): boolean {
    if (what === 'hold') return this.#rules.follows && !waits(this.states, this.#rules);
    return what !== 'notify' || this.#rules.follows;
  }
}

/** Where servers do not come and go one by one, giving one up is closing everything. */
function meant(step: ModelStep, { servers }: ModelRules): ModelStep {
  if (servers === 'dynamic') return step;
  if (step.do === 'remove') return { do: 'dispose' };
  return step.do === 'add' ? { do: 'open' } : step;
}

function reachesAll({ do: what }: ModelStep, { reloads }: ModelRules): boolean {
  return what === 'dispose' || what === 'open' || (what === 'reload' && !reloads);
}

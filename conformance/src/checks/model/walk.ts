import type { ModelPlan, ModelStep } from './plan.ts';
import { advance, applies, firstState, type ModelRules, type ModelState } from './state.ts';

/** One step that is performed, with the model on both sides of it. */
export interface WalkedStep {
  /** Its position among the steps that are performed. */
  readonly index: number;
  readonly step: ModelStep;
  readonly before: ModelState;
  readonly after: ModelState;
}

/**
 * The steps of a plan that apply, one after the other, and then those that leave nothing open: held things are released
 * and, where the server lives, a healthy call comes last.
 */
export function walk(plan: ModelPlan, rules: ModelRules): readonly WalkedStep[] {
  const walked: WalkedStep[] = [];
  let state = firstState(plan);
  const take = (step: ModelStep): void => {
    const needsFollowing = step.do === 'notify' || step.do === 'hold';
    if ((needsFollowing && !rules.follows) || !applies(state, step)) return;
    const index = walked.length;
    const after = advance(state, step, index, plan, rules);
    walked.push({ index, step, before: state, after });
    state = after;
  };
  // A healthy call comes first.
  take({ do: 'call', pick: 0 });
  plan.steps.forEach(take);
  take({ do: 'release' });
  while (state.underWay.length > 0) take({ do: 'finish', pick: 0 });
  take({ do: 'call', pick: 0 });
  return walked;
}

/** The plan without the steps that would not apply: what is left when a counterexample was shrunk is all there is to it. */
export function onlyApplicable(plan: ModelPlan): ModelPlan {
  let state = firstState(plan);
  const steps = plan.steps.filter((step, index) => {
    if (!applies(state, step)) return false;
    state = advance(state, step, index, plan, { recovers: false, follows: true });
    return true;
  });
  return { ...plan, steps };
}

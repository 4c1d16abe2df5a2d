/**
 * Checks that do the same and look for different things. Of bystanders only whether one of them fails is of interest, so
 * one exercise serves all their judges.
 */
import type { Check, Judgement, Plan, Verdict } from 'mcp-bridge-conformance';

/** From what decides to what says nothing. */
const WEIGHT: readonly Verdict[] = ['fail', 'inconclusive', 'pass', 'not-applicable'];

/** Plans whose exercises are one and the same, under one applicability. */
export function byExercise(plans: readonly Plan[]): Plan[][] {
  const groups: Plan[][] = [];
  for (const plan of plans) {
    const group = groups.find(([first]) => first !== undefined && isOneExercise(first, plan));
    if (group === undefined) groups.push([plan]);
    else group.push(plan);
  }
  return groups;
}

/** One plan for all of a group: its judge says the worst that any of theirs says. */
export function asOne(group: readonly [Plan, ...Plan[]]): Plan {
  const [first] = group;
  const judge: Check['judge'] = (history) =>
    group.map(({ check }) => check.judge(history)).reduce((worst, next) => (isWorse(next, worst) ? next : worst));
  return { ...first, check: { ...first.check, judge } };
}

function isWorse(next: Judgement, than: Judgement): boolean {
  return WEIGHT.indexOf(next.verdict) < WEIGHT.indexOf(than.verdict);
}

function isOneExercise(a: Plan, b: Plan): boolean {
  return a.target === b.target && circumstances(a).every((member, at) => member === circumstances(b)[at]);
}

/** What must be the same, functions by identity. */
function circumstances({ check, invariant }: Plan): readonly unknown[] {
  return [
    check.kind, check.exercise, check.limitMs, String(check.options), invariant.level, String(invariant.features),
    ...(check.kind === 'property' ? [check.arbitrary, check.prepare] : []),
  ];
}

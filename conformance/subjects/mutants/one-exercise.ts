/**
 * Checks that do the same and look for different things. Of bystanders only whether one of them fails is of interest, so
 * one exercise serves all their judges.
 */
import type { Check, History, Judgement, Plan, Verdict } from 'mcp-bridge-conformance';

/** From what decides to what says nothing. */
const WEIGHT: readonly Verdict[] = ['fail', 'inconclusive', 'pass', 'not-applicable'];

/** Plans whose exercises are one and the same, on the same terms. Mutants declare what the reference does: all levels and features. */
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
  const judge = (history: History): Judgement =>
    group.map(({ check }) => check.judge(history)).reduce((worst, next) => (isWorse(next, worst) ? next : worst));
  return { ...first, check: { ...first.check, judge } };
}

function isWorse(next: Judgement, than: Judgement): boolean {
  return WEIGHT.indexOf(next.verdict) < WEIGHT.indexOf(than.verdict);
}

/** Functions are the same by identity. */
function isOneExercise(a: Plan, b: Plan): boolean {
  return a.target === b.target && demands(a) === demands(b) && a.check.exercise === b.check.exercise && areInputsEqual(a.check, b.check);
}

/** What a check asks of a subject's options, and how long its exercise may take. */
function demands({ check }: Plan): string {
  return JSON.stringify([check.options, check.limitMs]);
}

function areInputsEqual(a: Check, b: Check): boolean {
  if (a.kind !== 'property' || b.kind !== 'property') return a.kind === b.kind;
  return a.arbitrary === b.arbitrary && a.prepare === b.prepare;
}

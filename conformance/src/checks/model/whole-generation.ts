/** GENERATION-050: at any moment one list, whole. */
import type { History } from '../../history/schema.ts';
import { barrierOf, lastRegistry, registrySnapshots } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { barriers } from './barriers.ts';
import { heldLists, holds, recognised } from './lists.ts';
import { describePlan } from './plan.ts';
import { isJudgement, placeOf, planOf, readRun, type ReadStep } from './reading.ts';
import { firstState } from './state.ts';
import type { OfferedTool } from '../../adapter/messages.ts';

/** Says whether each registry of a run holds one of the server's lists, whole, or nothing where nothing may be. */
export function judgeWholeGeneration(history: History): Judgement {
  const run = readRun(history);
  if (isJudgement(run)) return partOfFirst(history) ?? run;
  let judged = 0;
  for (const step of run.steps) {
    for (const { index, event } of registrySnapshots(history)) {
      if (index < step.from || index >= step.to) continue;
      judged += 1;
      const problem = problemOf(event.tools, step);
      if (problem !== undefined) return fail(`${problem} ${placeOf(step, run.plan)}. ${describePlan(run.plan)}`, [index]);
    }
  }
  if (judged === 0) return inconclusive('no registry was seen during the run');
  return pass(`${judged} registries each held one whole list`);
}

/** A run that could not begin because of the first list no more than a part was shown. */
function partOfFirst(history: History): Judgement | undefined {
  const plan = planOf(history);
  const first = plan === undefined ? undefined : firstState(plan).lists[0];
  const last = lastRegistry(history);
  if (plan === undefined || first === undefined || last === undefined || barrierOf(history, barriers.start)?.event.reached !== false) return undefined;
  const there = recognised(last.event.tools).filter((tool) => first.some(({ raw, version }) => tool.raw === raw && tool.version === version));
  if (there.length === 0 || holds(last.event.tools, first)) return undefined;
  return fail(`the registry held ${there.length} of the ${first.length} tools of the first list, when it had its time. ${describePlan(plan)}`, [last.index]);
}

function problemOf(tools: readonly OfferedTool[], step: ReadStep): string | undefined {
  const there = recognised(tools);
  const { lists } = step.after;
  if (heldLists(tools, lists).length > 0) return undefined;
  if (there.length === 0) return mayBeEmpty(step) ? undefined : "none of the live server's tools was offered";
  const shown = there.map(({ raw, version, whole }) => `${JSON.stringify(raw)} ${describeOrigin(version, raw, step)}${whole ? '' : ' with a schema of another list'}`);
  return `the registry held no list of the server whole, but ${shown.join(', ')};`;
}

/** From which lists a tool may be. */
function describeOrigin(version: number, raw: string, { after: { lists } }: ReadStep): string {
  const numbers = lists.flatMap((list, number) => (list.some((tool) => tool.raw === raw && tool.version === version) ? [number] : []));
  if (numbers.length === 0) return 'of no list of this run';
  return numbers.length === 1 ? `of list ${numbers[0]}` : `of lists ${numbers[0]} to ${numbers.at(-1)}`;
}

/** A server that is dead, given up or just being taken may have no tools. */
function mayBeEmpty({ step, before, after }: ReadStep): boolean {
  return before.phase !== 'live' || after.phase !== 'live' || step.do === 'crash' || step.do === 'reload';
}

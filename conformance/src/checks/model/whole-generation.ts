/** GENERATION-050: at any moment one list of each server, whole. */
import type { History } from '../../history/schema.ts';
import { barrierOf, lastRegistry, registrySnapshots, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { barriers } from './barriers.ts';
import { heldLists, recognised } from './lists.ts';
import { describePlan } from './plan.ts';
import { isJudgement, placeOf, planOf, readRun, type ReadStep } from './reading.ts';
import { CAPABLE, rulesOf } from './rules.ts';
import { serversOf } from './servers.ts';
import { firstState, type ModelState } from './state.ts';
import type { Part } from './walk.ts';
import type { OfferedTool } from '../../adapter/messages.ts';

/** Says whether each registry of a run holds one list of each server, whole, or nothing where nothing may be. */
export function judgeWholeGeneration(history: History): Judgement {
  const run = readRun(history);
  if (isJudgement(run)) return partOfFirst(history) ?? run;
  let judged = 0;
  for (const step of run.steps) {
    for (const { index, event } of registrySnapshots(history)) {
      if (index < step.from || index >= step.to) continue;
      judged += 1;
      for (const part of step.parts) {
        const problem = problemOf(event.tools, part, step);
        if (problem !== undefined) return fail(`${problem} ${placeOf(step, run.plan)}. ${describePlan(run.plan)}`, [index]);
      }
    }
  }
  if (judged === 0) return inconclusive('no registry was seen during the run');
  return pass(`${judged} registries each held one whole list of each server`);
}

/** A run that could not begin because of the first list of a server no more than a part was shown. */
function partOfFirst(history: History): Judgement | undefined {
  const plan = planOf(history);
  const last = lastRegistry(history);
  if (plan === undefined || last === undefined || barrierOf(history, barriers.start)?.event.reached !== false) return undefined;
  const subject = subjectOf(history);
  for (const server of serversOf(plan, subject === undefined ? CAPABLE : rulesOf(subject))) {
    const state = firstState(plan, server);
    const first = state.lists[0] ?? [];
    const there = recognised(last.event.tools, server.name).filter((tool) => first.some(({ raw, version }) => tool.raw === raw && tool.version === version));
    if (there.length === 0 || heldLists(last.event.tools, state).length > 0) continue;
    return fail(`the registry held ${there.length} of the ${first.length} tools of the first list of "${server.name}", when it had its time. ${describePlan(plan)}`, [last.index]);
  }
  return undefined;
}

function problemOf(tools: readonly OfferedTool[], part: Part, step: ReadStep): string | undefined {
  const { server } = part.after;
  const there = recognised(tools, server.name);
  if (heldLists(tools, part.after).length > 0) return undefined;
  if (there.length === 0) return mayBeEmpty(part, step) ? undefined : `none of the tools of the live server "${server.name}" was offered`;
  const shown = there.map(({ raw, version, whole }) => `${JSON.stringify(raw)} ${describeOrigin(version, raw, part.after)}${whole ? '' : ' with a schema of another list'}`);
  return `the registry held no list of "${server.name}" whole, but ${shown.join(', ')};`;
}

/** From which lists a tool may be. */
function describeOrigin(version: number, raw: string, { lists }: ModelState): string {
  const numbers = lists.flatMap((list, number) => (list.some((tool) => tool.raw === raw && tool.version === version) ? [number] : []));
  if (numbers.length === 0) return 'of no list of this run';
  return numbers.length === 1 ? `of list ${numbers[0]}` : `of lists ${numbers[0]} to ${numbers.at(-1)}`;
}

/** A server that is dead, given up or just being taken may have no tools. What befalls another is no reason. */
function mayBeEmpty({ isReached, before, after }: Part, { step }: ReadStep): boolean {
  return before.phase !== 'live' || after.phase !== 'live' || (isReached && (step.do === 'crash' || step.do === 'reload'));
}

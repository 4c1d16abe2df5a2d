/** ISOLATION-050: what was given up is gone, and does not come back with what is taken again. */
import type { History } from '../../history/schema.ts';
import { eventsOf, lastRegistry } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { recognised } from './lists.ts';
import { describePlan } from './plan.ts';
import { isJudgement, placeOf, readRun, type ReadRun, type ReadStep } from './reading.ts';
import { rulesOf } from './rules.ts';
import { waits, walk } from './walk.ts';

/** The barriers of the bench that say whether giving up came to an end. */
const LEAVING: ReadonlySet<string> = new Set(['remove settles', 'reload settles', 'close settles']);

/** Steps that give something up. */
const GIVING_UP: ReadonlySet<string> = new Set(['remove', 'reload', 'dispose']);

/** Steps that take again what was given up. */
const TAKING: ReadonlySet<string> = new Set(['add', 'open']);

/** Says whether nothing was left of a server each time that it was given up, alone or with the whole subject. */
export function judgeNothingLeft(history: History): Judgement {
  const run = readRun(history);
  if (isJudgement(run)) return run;
  const given = run.steps.filter(({ step }) => GIVING_UP.has(step.do));
  for (const step of given) {
    const problem = left(history, step, run);
    if (problem !== undefined) return problem;
  }
  for (const step of run.steps.filter(({ step: { do: what }, done }) => TAKING.has(what) && done)) {
    const problem = former(history, step, run);
    if (problem !== undefined) return problem;
  }
  // That enough runs give something up is what the labels see to: this one shows nothing.
  if (given.length === 0) {
    const isPlanned = walk(run.plan, rulesOf(run.subject)).some(({ step }) => GIVING_UP.has(step.do));
    return isPlanned ? inconclusive('the run ended before anything was given up') : { verdict: 'not-applicable', message: 'the run gave nothing up' };
  }
  return pass(`nothing was left ${given.length === 1 ? 'when the server was given up' : `after each of ${given.length} times the server was given up`}`);
}

function left(history: History, step: ReadStep, { plan, subject }: ReadRun): Judgement | undefined {
  const broken = (what: string, index: number): Judgement => fail(`${what} ${placeOf(step, plan)}. ${describePlan(plan)}`, [index]);
  const within = <T extends { readonly index: number }>(found: readonly T[]): readonly T[] => found.filter(({ index }) => index >= step.from && index < step.to);
  const silence = within(eventsOf(history, 'barrier')).find(({ event }) => !event.reached && LEAVING.has(event.what));
  if (silence !== undefined) return broken(`nothing came back within ${silence.event.boundMs} ms (${silence.event.what})`, silence.index);
  const processes = within(eventsOf(history, 'processes')).at(-1);
  if (processes === undefined) return inconclusive(`nobody looked for processes ${placeOf(step, plan)}`);
  const given = step.parts.filter(({ isReached }) => isReached).map(({ before }) => before);
  const living = given.filter(({ phase }) => phase === 'live').length;
  if (processes.event.started.length < living) return inconclusive(`not every process was known ${placeOf(step, plan)}`);
  if (processes.event.alive.length > 0) return broken(`${processes.event.alive.length} processes outlived their server`, processes.index);
  if (step.step.do === 'reload') return undefined;
  const registry = lastRegistry(history, step.to);
  const after = step.parts.map((part) => part.after);
  if (registry === undefined || registry.index < processes.index) {
    const isOpen = after.every(({ phase }) => phase !== 'closed');
    return isOpen && !waits(after, rulesOf(subject)) ? inconclusive(`nobody looked at the registry ${placeOf(step, plan)}`) : undefined;
  }
  const tools = given.flatMap(({ server }) => recognised(registry.event.tools, server.name));
  return tools.length > 0 ? broken(`${tools.length} tools of what was given up were still offered`, registry.index) : undefined;
}

/** Tools of a former life that are offered in the new one, when that had its time. */
function former(history: History, step: ReadStep, { plan, subject }: ReadRun): Judgement | undefined {
  const registry = lastRegistry(history, step.to);
  if (registry === undefined || registry.index < step.from) {
    const isLookedAt = !waits(step.parts.map(({ after }) => after), rulesOf(subject));
    return isLookedAt ? inconclusive(`nobody looked at the registry ${placeOf(step, plan)}`) : undefined;
  }
  for (const { isReached, after } of step.parts) {
    if (!isReached || after.phase !== 'live') continue;
    const listed = after.lists.slice(after.due).flat();
    const tools = recognised(registry.event.tools, after.server.name).filter((tool) => !listed.some(({ raw, version }) => tool.raw === raw && tool.version === version));
    if (tools.length === 0) continue;
    const names = tools.map(({ raw }) => JSON.stringify(raw)).join(', ');
    return fail(`${names} of "${after.server.name}" as it was before it was given up came back ${placeOf(step, plan)}. ${describePlan(plan)}`, [registry.index]);
  }
  return undefined;
}

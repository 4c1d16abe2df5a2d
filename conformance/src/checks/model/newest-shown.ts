/** GENERATION-051: what was announced comes to be shown. */
import type { History } from '../../history/schema.ts';
import { barrierOf, lastRegistry, listings, ownEventsFrom, sent, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { barriers } from './barriers.ts';
import { heldLists, LIST_CHANGED, SERVER } from './lists.ts';
import { describePlan, type ModelPlan } from './plan.ts';
import { isJudgement, placeOf, readRun, type ReadStep } from './reading.ts';
import { newest, rulesOf, settles } from './state.ts';

/** Says whether the registry came to hold a list at least as new as the last one announced, each time things settled. */
export function judgeNewestShown(history: History): Judgement {
  const subject = subjectOf(history);
  if (subject !== undefined && !rulesOf(subject).follows) {
    return { verdict: 'not-applicable', message: 'the subject neither follows announcements nor lists afresh' };
  }
  const run = readRun(history);
  if (isJudgement(run)) return unread(history) ?? run;
  let settled = 0;
  for (const step of run.steps) {
    const problem = unlisted(history, step, run.plan) ?? stale(history, step, run.plan);
    if (problem !== undefined) return problem;
    if (step.done && settles(step.after)) settled += 1;
  }
  if (settled === 0) return inconclusive('nothing settled during the run');
  return pass(`after each of ${settled} steps that settled the registry held the list that was due`);
}

/** A run that could not begin because the first list was not read to its end. */
function unread(history: History): Judgement | undefined {
  const start = barrierOf(history, barriers.start);
  const last = listings(history, SERVER).findLast(({ pages }) => (pages[0]?.request.index ?? -1) >= ownEventsFrom(history))?.pages.at(-1);
  if (start?.event.reached !== false || last?.answer === undefined || typeof last.nextCursor !== 'string' || last.answer.index > start.index) return undefined;
  return fail(`the first list was not read to its end within ${start.event.boundMs} ms: its next page was never asked for`, [last.answer.index, start.index]);
}

/** An announcement that no listing follows. */
function unlisted(history: History, step: ReadStep, plan: ModelPlan): Judgement | undefined {
  const held = find(history, step, barriers.held(step.index));
  if (held === undefined || held.reached) return undefined;
  const announced = sent(history, SERVER, LIST_CHANGED).find(({ index }) => index >= step.from && index < step.to);
  const subject = subjectOf(history);
  const pulled = subject?.registry === 'pull' && !subject.features.includes('list-changes');
  if (announced === undefined && !pulled) return inconclusive('the announcement is not on the wire');
  return fail(`no listing followed ${pulled ? 'a look' : 'the announcement'} within ${held.boundMs} ms ${placeOf(step, plan)}. ${describePlan(plan)}`,
    announced === undefined ? [held.index] : [announced.index, held.index]);
}

/** A registry that does not hold what is due when things have settled. */
function stale(history: History, step: ReadStep, plan: ModelPlan): Judgement | undefined {
  const { after } = step;
  if (!step.done || !settles(after)) return undefined;
  const last = lastRegistry(history, step.to);
  if (last === undefined || last.index < step.from) return inconclusive(`the registry was not looked at ${placeOf(step, plan)}`);
  const shown = heldLists(last.event.tools, after.lists);
  if (shown.some((number) => number >= after.due)) return undefined;
  const what = shown.length === 0 ? 'no list whole' : `list ${shown.at(-1)}`;
  const due = after.due === newest(after) ? `list ${after.due}` : `one of the lists ${after.due} to ${newest(after)}`;
  return fail(`the registry held ${what} where ${due} was due ${placeOf(step, plan)}. ${describePlan(plan)}`, [last.index]);
}

function find(history: History, step: ReadStep, what: string): { readonly index: number; readonly reached: boolean; readonly boundMs: number } | undefined {
  for (let index = step.from; index < step.to; index += 1) {
    const event = history[index];
    if (event?.kind === 'barrier' && event.what === what) return { index, reached: event.reached, boundMs: event.boundMs };
  }
  return undefined;
}

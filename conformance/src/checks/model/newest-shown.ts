/** GENERATION-051: what was announced comes to be shown. */
import type { History } from '../../history/schema.ts';
import { barrierOf, lastRegistry, listings, ownEventsFrom, sent, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { barriers } from './barriers.ts';
import { heldLists, LIST_CHANGED } from './lists.ts';
import { describePlan, type ModelPlan } from './plan.ts';
import { isJudgement, placeOf, readRun, type ReadRun, type ReadStep } from './reading.ts';
import { rulesOf } from './rules.ts';
import { SERVERS } from './servers.ts';
import { newest, type ModelState } from './state.ts';
import { settling } from './walk.ts';

/** Says whether the registry came to hold a list of each server at least as new as the last one announced, each time things settled. */
export function judgeNewestShown(history: History): Judgement {
  const subject = subjectOf(history);
  if (subject !== undefined && !rulesOf(subject).follows) {
    return { verdict: 'not-applicable', message: 'the subject neither follows announcements nor lists afresh' };
  }
  const run = readRun(history);
  if (isJudgement(run)) return unread(history) ?? run;
  let settled = 0;
  for (const step of run.steps) {
    const problem = unlisted(history, step, run.plan) ?? stale(history, step, run);
    if (problem !== undefined) return problem;
    if (step.done && settling(step, rulesOf(run.subject)).length > 0) settled += 1;
  }
  if (settled === 0) return inconclusive('nothing settled during the run');
  return pass(`after each of ${settled} steps that settled the registry held the list that was due`);
}

/** A run that could not begin because a first list was not read to its end. */
function unread(history: History): Judgement | undefined {
  const start = barrierOf(history, barriers.start);
  if (start?.event.reached !== false) return undefined;
  for (const server of SERVERS) {
    const last = listings(history, server).findLast(({ pages }) => (pages[0]?.request.index ?? -1) >= ownEventsFrom(history))?.pages.at(-1);
    if (last?.answer === undefined || typeof last.nextCursor !== 'string' || last.answer.index > start.index) continue;
    return fail(`the first list of "${server}" was not read to its end within ${start.event.boundMs} ms: its next page was never asked for`, [last.answer.index, start.index]);
  }
  return undefined;
}

/** An announcement that no listing follows. */
function unlisted(history: History, step: ReadStep, plan: ModelPlan): Judgement | undefined {
  const held = find(history, step, barriers.held(step.index));
  if (held === undefined || held.reached) return undefined;
  const announced = sent(history, step.before.server.name, LIST_CHANGED).find(({ index }) => index >= step.from && index < step.to);
  const subject = subjectOf(history);
  const pulled = subject?.registry === 'pull' && !subject.features.includes('list-changes');
  if (announced === undefined && !pulled) return inconclusive('the announcement is not on the wire');
  return fail(`no listing followed ${pulled ? 'a look' : 'the announcement'} within ${held.boundMs} ms ${placeOf(step, plan)}. ${describePlan(plan)}`,
    announced === undefined ? [held.index] : [announced.index, held.index]);
}

/** A registry that does not hold what is due when things have settled. */
function stale(history: History, step: ReadStep, { plan, subject }: ReadRun): Judgement | undefined {
  const settled = step.done ? settling(step, rulesOf(subject)) : [];
  if (settled.length === 0) return undefined;
  const last = lastRegistry(history, step.to);
  if (last === undefined || last.index < step.from) return inconclusive(`the registry was not looked at ${placeOf(step, plan)}`);
  for (const { after } of settled) {
    const shown = heldLists(last.event.tools, after);
    if (shown.some((number) => number >= after.due)) continue;
    const what = shown.length === 0 ? 'no list whole' : `list ${shown.at(-1)}`;
    return fail(`the registry held ${what} of "${after.server.name}" where ${dueOf(after)} was due ${placeOf(step, plan)}. ${describePlan(plan)}`, [last.index]);
  }
  return undefined;
}

function dueOf(state: ModelState): string {
  return state.due === newest(state) ? `list ${state.due}` : `one of the lists ${state.due} to ${newest(state)}`;
}

function find(history: History, step: ReadStep, what: string): { readonly index: number; readonly reached: boolean; readonly boundMs: number } | undefined {
  for (let index = step.from; index < step.to; index += 1) {
    const event = history[index];
    if (event?.kind === 'barrier' && event.what === what) return { index, reached: event.reached, boundMs: event.boundMs };
  }
  return undefined;
}

/** How many attempts an outage has, and what is left when they are spent (CONNECTION-011). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import { NotApplicable } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, pages, sent } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { announce } from '../tool-lists.ts';
import { listingAnswered } from '../wire-waits.ts';
import { callFor, callsFor, doubt, echoed, first, placesOf } from '../support/facts.ts';
import { ANSWER, script, STEADY } from '../support/scripts.ts';
import { ask, openOne } from '../support/steps.ts';
import { livesOf } from './lives.ts';
import { linesAbout, servedBy, toolsGone, untilAsked, waitedInVain } from './outage-facts.ts';
import { policyOf } from './schedule.ts';
import { AWAITED, inLife, lose, quiet, recovered, startedTimes } from './steps.ts';

const SERVER = 'spent';
/** Reached when nothing of the server is registered any more. */
export const GONE = 'its tools are gone';
const RECONNECT = { initialDelayMs: 20, maxDelayMs: 1_000, maxAttempts: 3 };

/** The last attempt lists its tools and ends at once: what it listed goes with it. */
const SPENDING: readonly Rule[] = [
  inLife(2, 'initialize', [{ exit: 2 }]),
  inLife(3, 'initialize', [ANSWER, { exit: 0 }]),
  inLife(4, 'tools/list', [ANSWER, { exit: 4 }]),
];

/** Waits until everything is gone, then for what should not come, then asks for it anew. */
async function spentAndAnew(bench: Bench, server: Awaited<ReturnType<typeof openOne>>): Promise<void> {
  await bench.wire(server, AWAITED, startedTimes(1 + RECONNECT.maxAttempts), { boundMs: 10_000 });
  await bench.registry(GONE, (tools) => tools.length === 0);
  await quiet(bench, server, 2 * RECONNECT.initialDelayMs * 2 ** RECONNECT.maxAttempts);
  await bench.look();
  await server.program(script(SERVER, []));
  await bench.reload(SERVER);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

function needReload(bench: Bench): void {
  if (!bench.subject.features.includes('reload')) throw new NotApplicable('the subject does not declare the feature reload');
}

async function exerciseLoss(bench: Bench): Promise<void> {
  needReload(bench);
  const server = await openOne(bench, SERVER, script(SERVER, [], SPENDING), { reconnect: RECONNECT });
  await ask(bench, SERVER, STEADY);
  await lose(bench, server);
  await spentAndAnew(bench, server);
}

async function exerciseFirstStart(bench: Bench): Promise<void> {
  needReload(bench);
  const rules: Rule[] = [{ id: 'early', when: { spawn: true }, do: [{ exit: 1 }] }];
  const server = await openOne(bench, SERVER, script(SERVER, [], rules, { countFrom: 'spawn' }), { reconnect: RECONNECT });
  await spentAndAnew(bench, server);
}

/** The judge of both: exactly so many, then nothing, and everything anew when asked. */
function judgeSpent(history: History): Judgement {
  const asked = untilAsked(history);
  const reload = eventsOf(history, 'request').find(({ event }) => event.step === 'reload')?.index;
  const { maxAttempts } = policyOf(history, SERVER);
  const lives = livesOf(history, SERVER);
  const before = lives.filter(({ start }) => start.index < asked);
  const [opened] = before;
  if (opened?.end === undefined) return inconclusive('not in the history: the end of the first process');
  const attempts = before.length - 1;
  if (attempts > maxAttempts) return fail(`${attempts} attempts were made in one outage, allowed were ${maxAttempts}`, before.map(({ start }) => start.index));
  const last = before.at(-1);
  if (last?.end === undefined) return inconclusive('not in the history: the end of the last attempt');
  if (attempts < maxAttempts) {
    // It had its time: the exercise waited for the last attempt within a bound.
    return barrierOf(history, AWAITED)?.event.reached === false
      ? fail(`only ${attempts} attempts were made in the outage, due were ${maxAttempts}`, [last.end.index])
      : inconclusive('nobody waited for the last attempt');
  }
  if (reload === undefined) return waitedInVain(history) ?? inconclusive('not in the history: a reload');
  const error = linesAbout(history, SERVER, 'error').find(({ index }) => index > last.lastSign.index && index < reload);
  const late = callFor(history, STEADY, SERVER);
  return first(
    waitedInVain(history),
    toolsGone(history, SERVER, reload),
    error === undefined ? fail('no error says that the server was given up', [last.end.index]) : undefined,
    doubt([late !== undefined && late.call.index > reload, 'a call after the reload']),
    echoed(late) ? undefined : fail('after a reload the server cannot be called', late === undefined ? [] : placesOf(late)),
  ) ?? pass(`exactly ${maxAttempts} attempts, then nothing until the reload`);
}

const FAILURES = 3;

/** Its list cannot be read again and again while it lives; the one attempt is still there when it is lost. */
async function exerciseRefreshes(bench: Bench): Promise<void> {
  if (!bench.subject.features.includes('list-changes')) throw new NotApplicable('the subject does not declare the feature list-changes');
  const rules: Rule[] = [{ id: 'no-more', when: { method: 'tools/list', nth: { from: 2 }, incarnation: 1 }, do: [{ error: { code: -32603, message: 'no list now' } }] }];
  const options = { reconnect: { ...RECONNECT, maxAttempts: 1 }, ...quick(bench) };
  const server = await openOne(bench, SERVER, script(SERVER, [], rules), options);
  await ask(bench, SERVER, STEADY);
  for (let failure = 0; failure < FAILURES; failure += 1) {
    const since = server.fixture.records.length;
    await announce(server);
    await bench.wire(server, `refresh ${failure + 1} fails`, listingAnswered(1), { since });
    await ask(bench, SERVER, STEADY);
  }
  await lose(bench, server);
  await bench.wire(server, AWAITED, startedTimes(2));
  await recovered(bench, server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

/** Options that make a subject look again soon. */
function quick(bench: Bench): Readonly<Record<string, unknown>> {
  return bench.subject.options.includes('listChangeQuietMs') ? { listChangeQuietMs: 10 } : {};
}

function judgeRefreshes(history: History): Judgement {
  const [opened, back] = livesOf(history, SERVER);
  const failed = pages(history, SERVER).filter(({ request, tools, answer }) => request.event.pid === opened?.pid && answer !== undefined && tools === undefined);
  const announced = sent(history, SERVER, 'notifications/tools/list_changed');
  const doubted = doubt([announced.length >= FAILURES && failed.length >= FAILURES, 'refreshes that failed'], [opened?.end !== undefined, 'the end of the first process']);
  if (doubted !== undefined || opened?.end === undefined) return doubted ?? inconclusive('no process ended');
  if (back === undefined && barrierOf(history, AWAITED)?.event.reached !== false) return inconclusive('nobody waited for the attempt');
  if (back === undefined) return fail(`after ${failed.length} failed refreshes no attempt was made when the connection was lost`, [opened.end.index]);
  const late = callsFor(history, STEADY, SERVER).at(-1);
  if (late === undefined || late.call.index < back.start.index) return inconclusive('not in the history: a call after the recovery');
  return echoed(late) && servedBy(late, [opened, back]) === back
    ? pass(`${failed.length} failed refreshes left the one attempt of the outage alone`)
    : fail('the one attempt of the outage did not bring the server back', placesOf(late));
}

const base = { invariant: 'CONNECTION-011', options: ['reconnect'] } as const;

/** Checks of the budget. */
export const budgetChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONNECTION-011/after-a-loss', exercise: exerciseLoss, judge: judgeSpent }),
  scripted({ ...base, id: 'CONNECTION-011/after-a-failed-start', exercise: exerciseFirstStart, judge: judgeSpent }),
  scripted({ ...base, id: 'CONNECTION-011/failed-refreshes', exercise: exerciseRefreshes, judge: judgeRefreshes }),
];

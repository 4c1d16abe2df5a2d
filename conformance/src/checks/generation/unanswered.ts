/** A listing that follows an announcement and is never answered (GENERATION-012, GENERATION-013). */
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import { nowMs } from '../../history/clock.ts';
import type { EventOf, History } from '../../history/schema.ts';
import { barrierOf, eventsOf, faultsFired, logLines, messageOf, pairedCalls, paramsOf, received, type At } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { judgeKept, needListChanges, reachedAtTheEnd } from '../resync.ts';
import { placesOf } from '../support/facts.ts';
import { announce, callEach, describes, listing, lookAndCallEach, markedTool } from '../tool-lists.ts';
import { receivedTimes } from '../wire-waits.ts';

const SERVER = 'mute';
const GOOD = ['first', 'second.part'] as const;
const known = [{ server: SERVER, rawNames: [...GOOD, 'fresh'] }];
/** The rule that leaves the listing unanswered. */
const SILENT = 'silent';
const RECOVERED = 'the list after the unanswered one is shown';
/** The limit of a listing, milliseconds. */
const LIMIT_MS = 300;
/** Between two rounds of calls while the listing hangs, milliseconds. */
const LOOK_EVERY_MS = 50;

async function exercise(bench: Bench): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, GOOD), { options: { discoveryTimeoutMs: LIMIT_MS } });
  await bench.open([server]);
  await lookAndCallEach(bench, known);
  const since = server.fixture.records.length;
  await server.program(listing(SERVER, GOOD, { rules: [{ id: SILENT, when: { method: 'tools/list' }, do: [{ drop: true }] }] }));
  await announce(server);
  // A registry that lists at a look asks for the list only there.
  await bench.wire(server, 'the list is asked for', receivedTimes('tools/list', 1), { since, boundMs: bench.subject.bounds.settleMs });
  const deadlineMs = nowMs() + LIMIT_MS + SLACK_MS;
  do {
    await lookAndCallEach(bench, known);
    await wait(LOOK_EVERY_MS);
  } while (reportOf(bench.history) === undefined && nowMs() < deadlineMs);
  await bench.change(server, listing(SERVER, [...GOOD, 'fresh']), RECOVERED, describes(markedTool(SERVER, 'fresh').description ?? ''));
  await callEach(bench, (await bench.look()).tools, known);
}

/** What was said of the unanswered listing, at warn or error, before the good list was scripted. */
function reportOf(history: History): At<EventOf<'log'>> | undefined {
  const [fault] = faultsFired(history, SERVER, SILENT);
  if (fault === undefined) return undefined;
  const until = recoveryAt(history, fault.index);
  return logLines(history).find(({ index, event }) => index > fault.index && index < until && (event.level === 'warn' || event.level === 'error'));
}

function recoveryAt(history: History, fault: number): number {
  return eventsOf(history, 'program').find(({ index }) => index > fault)?.index ?? history.length;
}

/** The judge of GENERATION-012. */
export function judgeGivenUp(history: History): Judgement {
  const [fault] = faultsFired(history, SERVER, SILENT);
  if (fault === undefined) return inconclusive('the listing that is not answered was never asked for');
  const until = recoveryAt(history, fault.index);
  const broken = pairedCalls(history).find(({ call, outcome }) => call.index > fault.index && call.index < until && outcome?.event.reply.outcome !== 'ok');
  if (broken !== undefined) return fail('beside a listing that is not answered a call did not go through', placesOf(broken));
  const kept = judgeKept(history, until);
  if (kept.verdict !== 'pass') return kept;
  const recovered = barrierOf(history, RECOVERED);
  if (recovered === undefined) return inconclusive('the good list was not scripted again');
  if (!recovered.event.reached) return fail(`after a listing that is not answered, whose limit is ${LIMIT_MS} ms, the next announcement was not followed`, [fault.index, recovered.index]);
  const report = reportOf(history);
  if (report === undefined) return fail(`a listing was not answered within its ${LIMIT_MS} ms, and no warning or error says so`, [fault.index]);
  const tookMs = report.event.atMs - fault.event.atMs;
  if (tookMs > LIMIT_MS + SLACK_MS) return fail(`that a listing was not answered was said after ${Math.round(tookMs)} ms, its limit is ${LIMIT_MS}`, [fault.index, report.index]);
  return reachedAtTheEnd(history, SERVER, 'fresh') ? pass(`${kept.message}; after ${Math.round(tookMs)} ms it was said: ${report.event.message}`) : inconclusive('the new tool was not called');
}

/** The judge of GENERATION-013. */
export function judgeCancelled(history: History): Judgement {
  const [fault] = faultsFired(history, SERVER, SILENT);
  const request = received(history, SERVER, 'tools/list').findLast(({ index }) => index < (fault?.index ?? -1));
  if (fault === undefined || request === undefined) return inconclusive('the listing that is not answered was never asked for');
  const recovered = barrierOf(history, RECOVERED);
  if (recovered?.event.reached !== true || reportOf(history) === undefined) return inconclusive('nothing shows that the listing was given up');
  const { id } = messageOf(request.event);
  const told = received(history, SERVER, 'notifications/cancelled').find(({ index, event }) => index > request.index && paramsOf(event)['requestId'] === id);
  return told === undefined
    ? fail('a listing was given up, and the server was not told so', [request.index, recovered.index])
    : pass('the server was told that its listing is given up', [request.index, told.index]);
}

/** Checks of listings that are never answered. */
export const unansweredChecks: readonly Check[] = [
  scripted({ id: 'GENERATION-012/unanswered', invariant: 'GENERATION-012', options: ['discoveryTimeoutMs'], judge: judgeGivenUp, exercise }),
  scripted({ id: 'GENERATION-013/unanswered', invariant: 'GENERATION-013', options: ['discoveryTimeoutMs'], judge: judgeCancelled, exercise }),
];

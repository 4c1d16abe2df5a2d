/** A server over HTTP that is removed while a call is under way (CONNECTION-041, CONNECTION-033). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench, BenchServer, PendingCall } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import { NotApplicable, within } from '../../bench/endings.ts';
import { nowMs } from '../../history/clock.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, holds, settledSteps, wireRecords, type At } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { requestsOf, toolsGone } from '../connection/outage-facts.ts';
import { callFor, callsFor, doubt, echoed, first, placesOf, replyOf } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, heldAt, settle } from '../support/steps.ts';
import { describes, freshWord, markedTool } from '../tool-lists.ts';
import { httpRequests, sessionsOf } from './requests.ts';
import { openWeb } from './steps.ts';

const SERVER = 'left-behind';
const WAITING = 'waiting';
const HOLD = 'never-answered';
const SETTLED = 'the call that was under way settles';
const LET_GO = 'its streams are ended';
/** Reached when an announcement brought the tools back: it should not be. */
const REVIVED = 'an announcement after the removal is followed';
/** Time to follow an announcement that nobody should hear, in milliseconds: a listing takes some ten. */
const HEARD_MS = 150;
/** It keeps the session, and with it would keep the streams: only the client can end them. */
const KEEPS: Rule = { id: 'keeps', when: { http: 'DELETE' }, do: [{ respond: { status: 405 } }] };
/** What is lost with nobody to hear it does not come up later. */
const HTTP = { unheard: 'lose' } as const;

/** Streams to listen to that are open after these records. What becomes of the answer to a call that was given up is free. */
function openAfter(records: Iterable<TraceRecord>): Set<number> {
  const open = new Set<number>();
  for (const record of records) {
    if (record.kind !== 'frame' || record.http?.method !== 'GET' || record.http.exchange === undefined) continue;
    const { exchange, status, responseHeaders, ended } = record.http;
    if (status === 200 && responseHeaders?.['content-type'] === 'text/event-stream') open.add(exchange);
    if (ended !== undefined) open.delete(exchange);
  }
  return open;
}

/** Waits for the call, no longer than one that nobody can answer any more may take. */
async function settledSoon(bench: Bench, pending: PendingCall | undefined): Promise<void> {
  const boundMs = bench.subject.bounds.settleMs + SLACK_MS;
  const { reached } = await within(settle(pending), boundMs);
  bench.record({ atMs: nowMs(), kind: 'barrier', what: SETTLED, reached, boundMs });
}

/** Waits until the server saw the end of every stream that was open before `since`. */
async function letGo(bench: Bench, server: BenchServer, since: number): Promise<void> {
  const boundMs = bench.subject.bounds.settleMs + SLACK_MS;
  const left = openAfter(server.fixture.records.slice(0, since));
  if (left.size === 0) {
    bench.record({ atMs: nowMs(), kind: 'barrier', what: LET_GO, reached: true, boundMs });
    return;
  }
  const isOver = (record: TraceRecord): boolean => {
    if (record.kind === 'frame' && record.http?.ended !== undefined) left.delete(record.http.exchange ?? 0);
    return left.size === 0;
  };
  await bench.wire(server, LET_GO, isOver, { since, boundMs });
}

async function exercise(bench: Bench): Promise<void> {
  if (bench.subject.servers !== 'dynamic') throw new NotApplicable(`the subject's servers are ${bench.subject.servers}: it has no remove`);
  const rules = [onCall(WAITING, [{ hold: HOLD }, ANSWER]), KEEPS];
  const server = await openWeb(bench, SERVER, script(SERVER, [tool(SERVER, WAITING)], rules, { http: HTTP }));
  await ask(bench, SERVER, STEADY);
  const pending = await begin(bench, SERVER, WAITING);
  await bench.wire(server, 'a call is under way', heldAt(HOLD));
  await bench.flush();
  const since = server.fixture.records.length;
  await bench.remove(SERVER);
  await settledSoon(bench, pending);
  await letGo(bench, server, since);
  const word = freshWord();
  await server.program(script(SERVER, [markedTool(SERVER, 'fresh', word)], [KEEPS], { http: HTTP }));
  await server.fixture.do([{ notify: { method: 'notifications/tools/list_changed' } }]);
  await bench.registry(REVIVED, describes(word), { boundMs: HEARD_MS });
  await bench.look();
  await bench.add(server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

/** What a removal in the middle of a call is seen by. */
interface Removal {
  readonly asked: number;
  readonly settled: number;
  /** Where the suite asked for the same server again; the end of the history where it did not. */
  readonly again: number;
}

/** The removal in a history; a judgement where there is none, or where it came to nothing. */
function removalIn(history: History): Removal | Judgement {
  const asked = requestsOf(history, 'remove')[0];
  const held = holds(history, HOLD, 'held')[0];
  const doubted = doubt([echoed(callsFor(history, STEADY, SERVER)[0]), 'a healthy call before'], [asked !== undefined && held !== undefined && held.index < asked.index, 'a removal while a call was under way']);
  if (doubted !== undefined || asked === undefined) return doubted ?? inconclusive('nothing was removed');
  const settled = settledSteps(history, 'remove')[0];
  if (settled === undefined) {
    const silent = barrierOf(history, 'remove settles');
    return silent?.event.reached === false ? fail('the removal never settled', [asked.index, silent.index]) : inconclusive('the removal did not settle');
  }
  if (settled.event.error !== undefined) return fail(`the removal failed: ${settled.event.error}`, [settled.index]);
  return { asked: asked.index, settled: settled.index, again: requestsOf(history, 'add')[0]?.index ?? history.length };
}

/** A stream that was open at the removal and that the server never saw the end of. */
function leftOpen(history: History, { asked, again }: Removal): At<TraceRecord> | undefined {
  const frames = wireRecords(history, 'frame', SERVER);
  const before = openAfter(frames.filter(({ index }) => index < asked).map(({ event }) => event));
  const left = openAfter(frames.filter(({ index }) => index < again).map(({ event }) => event));
  return frames.find(({ event }) => before.has(event.http?.exchange ?? 0) && left.has(event.http?.exchange ?? 0));
}

function judge(history: History): Judgement {
  const removal = removalIn(history);
  if ('verdict' in removal) return removal;
  const { settled, again } = removal;
  const [waiting, waited, letGoAt, revived] = [callFor(history, WAITING, SERVER), barrierOf(history, SETTLED), barrierOf(history, LET_GO), barrierOf(history, REVIVED)];
  const open = leftOpen(history, removal);
  const late = httpRequests(history, SERVER).find(({ index, method, rpc, event }) => index > (letGoAt?.index ?? settled) && index < again && method !== 'DELETE' &&
    (method === 'GET' || (typeof rpc === 'string' && event.raw.includes('"id"'))));
  const added = settledSteps(history, 'add')[0];
  const after = callFor(history, STEADY, SERVER);
  return first(
    doubt([waiting !== undefined && waited !== undefined, 'a wait for the call that was under way'], [letGoAt !== undefined, 'a wait for the ends of its streams'], [revived !== undefined, 'an announcement after the removal']),
    waiting?.outcome === undefined || waiting.outcome.index > (waited?.index ?? 0) ? fail('a call that was under way when its server was removed did not settle', waiting === undefined ? [] : placesOf(waiting)) : undefined,
    replyOf(waiting)?.outcome === 'ok' ? fail('a call that was never answered succeeded', waiting === undefined ? [] : placesOf(waiting)) : undefined,
    open === undefined || letGoAt === undefined ? undefined : fail('a stream of a server that was removed stayed open', [open.index, letGoAt.index]),
    late === undefined ? undefined : fail('a server that was removed was asked for something', [settled, late.index]),
    revived?.event.reached === true ? fail('what a removed server announced brought its tools back', [settled, revived.index]) : undefined,
    toolsGone(history, SERVER, again),
    doubt([added !== undefined, 'the same server, added again']),
    added?.event.servers[0]?.status === 'ready' ? undefined : fail(`the name is not free after the removal: ${added?.event.servers[0]?.message ?? ''}`, added === undefined ? [] : [added.index]),
    doubt([after !== undefined && after.call.index > (added?.index ?? 0), 'a call of the added one']),
    echoed(after) ? undefined : fail('the server that was added again cannot be called', after === undefined ? [] : placesOf(after)),
  ) ?? pass('the removal ended the call, the tools and every stream, nothing came after it, and the name was free');
}

/** Each session that the server still kept when it was removed is given back by then, and never again. */
function judgeGivenBack(history: History): Judgement {
  const removal = removalIn(history);
  if ('verdict' in removal) return removal;
  const { asked, again } = removal;
  const due = sessionsOf(history, SERVER).filter(({ start, end }) => start.index < asked && (end === undefined || end.index > asked));
  const doubted = doubt([due.length > 0, 'a session that was alive'], [again < history.length, 'the same server, added again']);
  const deletions = httpRequests(history, SERVER).filter(({ method }) => method === 'DELETE');
  return doubted ?? first(...due.map(({ id, start }) => {
    const own = deletions.filter(({ session }) => session === id);
    if (own.length > 1) return fail(`the session of a removed server was given back ${own.length} times`, own.map(({ index }) => index));
    return own.some(({ index }) => index < again) ? undefined : fail('the session of a removed server was not given back', [start.index, asked]);
  })) ?? pass(`${due.length === 1 ? 'the session was' : `${due.length} sessions were`} given back by the removal`);
}

/** Checks of removals over HTTP. */
export const removalChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-041/call-under-way', invariant: 'CONNECTION-041', exercise, judge }),
  scripted({ id: 'CONNECTION-033/removed', invariant: 'CONNECTION-033', exercise, judge: judgeGivenBack }),
];

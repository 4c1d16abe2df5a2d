/** Many announcements cost little (GENERATION-009, GENERATION-010). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, pages, pairedCalls, sent } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { needListChanges, reachedAtTheEnd } from '../resync.ts';
import { announce, callEach, describes, listing, markedTool } from '../tool-lists.ts';
import { announcedTimes } from '../wire-waits.ts';

const SERVER = 'gusty';
/** Announcements of one burst: what R17 reports, ten times over. */
const BURST = 2_000;
/**
 * Listings that one burst may cost. B02 asks for a bound that does not grow with the burst: one that is under way, one
 * that trails, and some for a bridge that looks again now and then while the burst lasts.
 */
const MOST_LISTINGS = 12;
const SHOWN = 'the last change of the burst is shown';

async function exerciseBurst(bench: Bench): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, ['calm']));
  await bench.open([server]);
  await callEach(bench, (await bench.look()).tools);
  const since = server.fixture.records.length;
  await announce(server, BURST);
  await server.program(listing(SERVER, ['calm', 'after_the_storm']));
  await announce(server);
  await bench.wire(server, 'the burst is sent', announcedTimes(BURST + 1), { since });
  await bench.registry(SHOWN, describes(markedTool(SERVER, 'after_the_storm').description ?? ''));
  await callEach(bench, (await bench.look()).tools);
}

/** First pages that were asked for from a position on: each is a listing. */
function listingsFrom(history: History, from: number): { readonly index: number; readonly atMs: number }[] {
  return pages(history, SERVER)
    .filter(({ cursor, request }) => cursor === undefined && request.index > from)
    .map(({ request }) => ({ index: request.index, atMs: request.event.atMs }));
}

/** The judge of GENERATION-009. */
export function judgeBurst(history: History): Judgement {
  const notices = sent(history, SERVER, 'notifications/tools/list_changed');
  const first = notices[0];
  if (first === undefined || notices.length < BURST) return inconclusive(`the burst was not sent: ${notices.length} announcements`);
  const listed = listingsFrom(history, first.index);
  if (listed.length > MOST_LISTINGS) return fail(`${notices.length} announcements cost ${listed.length} listings; at most ${MOST_LISTINGS} are due for any burst`, [first.index]);
  const shown = barrierOf(history, SHOWN);
  if (shown === undefined) return inconclusive('the exercise did not wait for the last change');
  if (!shown.event.reached) return fail('the last change of a burst never showed', [notices.at(-1)?.index ?? 0, shown.index]);
  if (!reachedAtTheEnd(history, SERVER, 'after_the_storm')) return inconclusive('the new tool was not called');
  return pass(`${notices.length} announcements cost ${listed.length} listings`);
}

/** Calls while every listing is answered with another announcement, and how long each takes, in milliseconds. */
const CALLS = 40;
const CALL_MS = 25;
/**
 * Listings a second that no reader of announcements needs. One that follows each at once makes several hundred over a
 * local pipe; one that waits a moment between two makes ten or so.
 */
const SPIN_PER_SECOND = 60;

async function exerciseEcho(bench: Bench): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, ['calm']));
  await bench.open([server]);
  const [tool] = (await bench.look()).tools;
  if (tool === undefined) return;
  await server.program(listing(SERVER, ['calm'], {
    rules: [
      { id: 'echo', when: { method: 'tools/list' }, do: [{ default: {} }, { notify: { method: 'notifications/tools/list_changed' } }] },
      { id: 'slow', when: { method: 'tools/call' }, do: [{ delay: CALL_MS }, { default: {} }] },
    ],
  }));
  await announce(server);
  for (let call = 0; call < CALLS; call += 1) await bench.call({ tool, server: SERVER, rawName: 'calm' });
  await bench.flush();
}

/** The judge of GENERATION-010. */
export function judgeEcho(history: History): Judgement {
  const calls = pairedCalls(history);
  const [first, last] = [calls[0], calls.at(-1)];
  if (first === undefined || last === undefined || calls.length < 2) return inconclusive('nothing was called');
  const echoes = sent(history, SERVER, 'notifications/tools/list_changed').filter(({ index }) => index > first.call.index);
  if (echoes.length === 0) return inconclusive('no listing was answered with an announcement');
  const lost = calls.find(({ outcome }) => outcome === undefined || outcome.event.reply.outcome !== 'ok');
  if (lost !== undefined) return fail(`${lost.callId} did not go through: ${lost.outcome?.event.reply.message ?? 'it never settled'}`, [lost.call.index]);
  const spanMs = (last.outcome?.event.atMs ?? last.call.event.atMs) - first.call.event.atMs;
  const listed = listingsFrom(history, first.call.index).length;
  const perSecond = (listed * 1000) / spanMs;
  if (perSecond > SPIN_PER_SECOND) return fail(`${listed} listings within ${Math.round(spanMs)} ms: the subject spins`, [first.call.index]);
  return pass(`${calls.length} calls went through beside ${listed} listings within ${Math.round(spanMs)} ms`);
}

/** Checks of storms. */
export const stormChecks: readonly Check[] = [
  scripted({ id: 'GENERATION-009/burst', invariant: 'GENERATION-009', judge: judgeBurst, exercise: exerciseBurst }),
  scripted({ id: 'GENERATION-010/echo', invariant: 'GENERATION-010', judge: judgeEcho, exercise: exerciseEcho }),
];

/** Listings that go on and on (DISCOVERY-003, DISCOVERY-004, DISCOVERY-005). */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { OfferedTool } from '../../adapter/messages.ts';
import { mark, type Bench, type BenchServer } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import { nowMs } from '../../history/clock.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, listings, pages, pairings, settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { few, textNames } from '../identities.ts';
import { onPage } from '../pages.ts';
import { ENDED, judgeKept, needListChanges, untilListingEnds } from '../resync.ts';
import { announce, callEach, describes, listing, markedTool, type WrittenTool } from '../tool-lists.ts';
import { memberOf, receives, settle } from '../support/steps.ts';
import { judgeWhole } from '../whole-lists.ts';
import { receivedTimes } from '../wire-waits.ts';

/** Pages of one listing that bring nothing new, after which it is not bounded by anybody's measure (B01). */
const MANY_PAGES = 10_000;
/** Milliseconds for that many pages: some 0.3 ms each, and a server is one of three on a machine that may be busy. */
const MANY_PAGES_MS = 40_000;
const FLOOD = `${MANY_PAGES} pages were asked for`;

const listed = (tool: WrittenTool): object => ({ inputSchema: { type: 'object' }, ...tool });

function page(nextCursor: string, tools: readonly object[] = []): { tools: readonly object[]; nextCursor: string } {
  return { tools, nextCursor };
}

/** Lists without an end: one cursor for ever, two in turn, and one page again and again. */
function endless(server: string): ScenarioInput {
  const tool = listed(markedTool(server, `part_of_${server}`));
  const rules = {
    stuck: [onPage('again', page('again')), onPage(undefined, page('again', [tool]))],
    turning: [onPage('left', page('right')), onPage('right', page('left')), onPage(undefined, page('left', [tool]))],
    repeating: [onPage(undefined, page('same', [tool]))],
  }[server];
  return { scenario: 1, tools: [markedTool(server, `part_of_${server}`)], rules: rules ?? [] };
}

const ENDLESS = ['stuck', 'turning', 'repeating'] as const;

/** The barrier of {@link untilLeftAlone}. */
const LEFT_ALONE = 'the endless lists are left alone';
/** Calls, or looks at the state, one after the other: a listing that goes on asks for a page meanwhile. */
const ROUNDS = 10;

/** Whether a listing asks for another page that had begun before all of these records. Those from `at` on are looked at. */
function goesOn(records: readonly TraceRecord[], at: number): boolean {
  const anew = new Set<number>();
  return records.some((record, place) => {
    if (!asksForPage(record)) return false;
    const isFirst = cursorOf(record) === undefined;
    if (isFirst) anew.add(record.pid);
    return !isFirst && place >= at && !anew.has(record.pid);
  });
}

const asksForPage = receives('tools/list');

function cursorOf(record: TraceRecord): unknown {
  return record.kind === 'frame' ? memberOf(memberOf(record.message, 'params'), 'cursor') : undefined;
}

/**
 * After opening settled: waits until the listings that were under way ask for nothing more, while calls are answered. One that
 * was begun later, in a new process or afresh, is another, and so is its end.
 */
async function untilLeftAlone(bench: Bench, servers: readonly BenchServer[], well: OfferedTool | undefined): Promise<void> {
  await bench.flush();
  const since = servers.map(({ fixture }) => fixture.records.length);
  const recordsOf = (number: number): readonly TraceRecord[] => servers[number]?.fixture.records.slice(since[number]) ?? [];
  const boundMs = bench.subject.bounds.settleMs + SLACK_MS;
  const deadlineMs = nowMs() + boundMs;
  let reached = false;
  do {
    const begun = servers.map((_, number) => recordsOf(number).length);
    for (let round = 0; round < ROUNDS; round += 1) {
      if (well === undefined) await bench.state();
      else await settle(bench.start({ tool: well, server: 'healthy', rawName: 'well' }));
    }
    await bench.flush();
    reached = !begun.some((at, number) => goesOn(recordsOf(number), at));
  } while (!reached && nowMs() < deadlineMs);
  bench.record({ atMs: nowMs(), kind: 'barrier', what: LEFT_ALONE, reached, boundMs });
}

async function exerciseFirstListing(bench: Bench): Promise<void> {
  const healthy = bench.serve('healthy', listing('healthy', ['well']));
  const servers = ENDLESS.map((name) => bench.serve(name, endless(name)));
  const groups = bench.subject.servers === 'one' ? servers.map((server) => [server]) : [[healthy, ...servers]];
  for (const group of groups) {
    const never = new Promise<boolean>(() => undefined);
    // Who is not done by then may be bound by time; only the number of pages tells.
    const opened = bench.open(group).then(() => false, () => never);
    const floods = group.map((server) => bench.wire(server, FLOOD, receivedTimes('tools/list', MANY_PAGES), { boundMs: MANY_PAGES_MS }));
    const flooded = await Promise.race([opened, Promise.all(floods).then((came) => came.includes(true)), ...floods.map((flood) => flood.then((came) => came || never))]);
    if (flooded) return;
    const { tools } = await bench.look();
    await callEach(bench, tools, [{ server: 'healthy', rawNames: ['well'] }]);
    await untilLeftAlone(bench, group, tools.find(({ description }) => description.includes(mark('healthy', 'well'))));
  }
}

/** Servers whose endless list was followed beyond its first page. */
function followed(history: History): string[] {
  return ENDLESS.filter((server) => pages(history, server).some(({ cursor }) => typeof cursor === 'string'));
}

/** The judge of DISCOVERY-003. */
export function judgeBounded(history: History): Judgement {
  const servers = followed(history);
  if (servers.length === 0) return inconclusive('no endless list was followed beyond its first page');
  const most = Math.max(...servers.flatMap((server) => listings(history, server).map(({ pages: read }) => read.length)));
  if (most >= MANY_PAGES) return fail(`${most} pages were asked for of a list that brings nothing new`);
  const settled = settledSteps(history, 'open');
  const hung = barrierOf(history, 'open settles') ?? barrierOf(history, 'the registry answers');
  // A listing may have a bound of time that is longer (B03).
  if (hung !== undefined) return inconclusive(`the endless lists of ${few(servers)} were followed for ${hung.event.boundMs} ms, by ${most} pages, and it is not known for how long they would be`);
  if (settled.length === 0) return inconclusive('the subject never settled');
  const leaving = eventsOf(history, 'barrier').filter(({ event }) => event.what === LEFT_ALONE);
  const still = leaving.find(({ event }) => !event.reached);
  if (still !== undefined) return fail(`opening settled, and an endless list was still followed ${still.event.boundMs} ms later, after ${most} pages`, [settled[0]?.index ?? 0, still.index]);
  if (leaving.length === 0) return inconclusive('nobody looked whether the lists are followed on');
  return pass(`endless lists were given up, the longest after ${most} pages`);
}

/** The judge of DISCOVERY-004 for first listings. */
export function judgeNoPart(history: History): Judgement {
  const servers = followed(history);
  if (servers.length === 0) return inconclusive('no endless list was followed beyond its first page');
  if (settledSteps(history, 'open').length === 0) return inconclusive('the subject never settled');
  const parts = pairings(history).filter(({ server }) => ENDLESS.some((name) => name === server));
  if (parts.length > 0) return fail(`a part of an endless list is offered: ${few(parts.map(({ publicName }) => publicName))}`, parts.map(({ call }) => call.call.index));
  const healthy = pairings(history).some(({ server }) => server === 'healthy');
  return healthy ? pass(`nothing of the endless lists of ${few(servers)} is offered`) : inconclusive('no call reached the healthy server');
}

/** The judge of DISCOVERY-004 for a list that changes into an endless one. */
export function judgeKeptThrough(history: History): Judgement {
  if (!pages(history, 'stuck').some(({ cursor }) => cursor === 'again')) return inconclusive('the endless list was never followed');
  if (barrierOf(history, ENDED)?.event.reached !== true) return inconclusive('the listing did not end');
  return judgeKept(history);
}

async function exerciseChange(bench: Bench): Promise<void> {
  needListChanges(bench);
  const known = [{ server: 'stuck', rawNames: ['good_one', 'good_two'] }];
  const server = bench.serve('stuck', listing('stuck', ['good_one', 'good_two']));
  await bench.open([server]);
  await callEach(bench, (await bench.look()).tools, known);
  const { tools = [], ...rest } = endless('stuck');
  await server.program({ ...rest, tools: [...tools, markedTool('stuck', 'good_one'), markedTool('stuck', 'good_two')] });
  await announce(server);
  await bench.wire(server, 'the endless list is followed', receivedTimes('tools/list', 3));
  if (await untilListingEnds(bench, server, known)) await callEach(bench, (await bench.look()).tools, known);
}

const REPEATED = 'one cursor, new pages';
const PAGES = 4;
/** How many listings of that kind are scripted: a bridge may list more than once. */
const LISTINGS = 8;

/** A list whose every page gives the same cursor and new tools, until the last. */
function repeatedCursor(server: string): ScenarioInput {
  const chapter = (place: number): readonly WrittenTool[] => [markedTool(server, `chapter_${place}`, REPEATED), markedTool(server, `note_${place}`, REPEATED)];
  const later = Array.from({ length: (PAGES - 1) * LISTINGS }, (_, at) => {
    const place = (at % (PAGES - 1)) + 2;
    return onPage('next', { tools: chapter(place).map(listed), nextCursor: place === PAGES ? undefined : 'next' }, at + 1);
  });
  const tools = Array.from({ length: PAGES }, (_, at) => chapter(at + 1)).flat();
  return { scenario: 1, tools, rules: [...later, onPage(undefined, { tools: chapter(1).map(listed), nextCursor: 'next' })] };
}

/** The judge of DISCOVERY-005. */
export function judgeRepeatedCursor(history: History): Judgement {
  const asked = pages(history, 'serial');
  if (asked.length === 0) return inconclusive('the list was never asked for');
  const judgement = judgeWhole(history, 'serial', 0, REPEATED);
  if (judgement.verdict !== 'pass') return judgement;
  const names = new Set(asked.flatMap(({ tools }) => textNames(tools ?? [])));
  return names.size === PAGES * 2 ? judgement : inconclusive('the list was not read to its end');
}

/** Checks of lists that go on. */
export const endlessChecks: readonly Check[] = [
  scripted({ id: 'DISCOVERY-003/first-listing', invariant: 'DISCOVERY-003', judge: judgeBounded, limitMs: 90_000, exercise: exerciseFirstListing }),
  scripted({ id: 'DISCOVERY-004/first-listing', invariant: 'DISCOVERY-004', judge: judgeNoPart, limitMs: 90_000, exercise: exerciseFirstListing }),
  scripted({ id: 'DISCOVERY-004/by-a-change', invariant: 'DISCOVERY-004', judge: judgeKeptThrough, exercise: exerciseChange }),
  scripted({
    id: 'DISCOVERY-005/repeated-cursor', invariant: 'DISCOVERY-005', judge: judgeRepeatedCursor,
    async exercise(bench) {
      const server = bench.serve('serial', repeatedCursor('serial'));
      await bench.open([server]);
      await bench.registry(REPEATED, describes(REPEATED));
      await callEach(bench, (await bench.look()).tools);
    },
  }),
];

/** Every page, in order, under the server's own cursors (DISCOVERY-001, DISCOVERY-002, DISCOVERY-011). */
import * as fc from 'fast-check';
import { mark, type Bench, type BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, isObject, listings, messageOf, ownEventsFrom, pages } from '../../history/views.ts';
import { hostileCursors, cursorKindsOf, cursorMinimums } from '../arbitraries/cursors.ts';
import { oneOfEach } from '../arbitraries/one-of-each.ts';
import { fail, inconclusive, pass, property, scripted, type Check, type Judgement } from '../check.ts';
import { paged } from '../pages.ts';
import { perBench } from '../per-bench.ts';
import { callEach, describes, freshWord, listing, markedTool, type WrittenTool } from '../tool-lists.ts';
import { endsListing, judgeWhole } from '../whole-lists.ts';
import { listingAnswered } from '../wire-waits.ts';

const SERVER = 'library';
const SHOWN = 'the list is shown';

const benches = perBench<BenchServer>();

async function prepare(bench: Bench): Promise<void> {
  const server = bench.serve(SERVER, listing(SERVER, ['before']));
  benches.set(bench, server);
  await bench.open([server]);
}

/** Tools of pages of these sizes; the first of them says which list it begins. */
function toolPages(sizes: readonly number[], word: string): WrittenTool[][] {
  let made = 0;
  return sizes.map((size) => Array.from({ length: size }, () => markedTool(SERVER, `book_${made++}`, word)));
}

async function showPages(bench: Bench, server: BenchServer, tools: WrittenTool[][], word: string, cursors: readonly string[], end?: unknown): Promise<void> {
  const since = server.fixture.records.length;
  const first = tools.flat()[0];
  const shown = first === undefined ? (offered: readonly { description: string }[]) => offered.length === 0 : describes(mark(SERVER, first.name), word);
  await bench.change(server, paged(tools, cursors, end), SHOWN, shown);
  await bench.wire(server, 'the list is read', listingAnswered(1), { since });
  await callEach(bench, (await bench.look()).tools, [{ server: SERVER, rawNames: tools.flat().map(({ name }) => name) }]);
}

/** The judge of DISCOVERY-001 and, with its own exercise, of the shape of lists. */
export function judgePages(history: History): Judgement {
  const judgement = judgeWhole(history, SERVER, ownEventsFrom(history), SHOWN);
  const followed = pages(history, SERVER).some(({ cursor }) => typeof cursor === 'string');
  return judgement.verdict === 'pass' && !followed ? inconclusive('the list had one page only') : judgement;
}

/** The judge of DISCOVERY-002: what each request of a listing carried. */
export function judgeCursors(history: History): Judgement {
  const from = ownEventsFrom(history);
  const firstOfOwn = pages(history, SERVER).find(({ request }) => request.index >= from)?.request.index;
  let followed = 0;
  for (const { pages: run } of listings(history, SERVER)) {
    let given: unknown;
    for (const { request, cursor, answer, nextCursor } of run) {
      const { params } = messageOf(request.event) as { params?: unknown };
      const carries = isObject(params) && Object.hasOwn(params, 'cursor');
      // A listing that began in the input before this one: what its last page gave is not in this history.
      const isUnknown = from > 0 && request.index === firstOfOwn && endsListing(given);
      if (carries && !isUnknown && (endsListing(given) || cursor !== given)) {
        return fail(`the page after ${JSON.stringify(given)} was asked for with ${JSON.stringify(cursor)}`, [request.index]);
      }
      if (carries) followed += 1;
      given = answer === undefined ? undefined : nextCursor;
    }
  }
  return followed === 0 ? inconclusive('no page was asked for by cursor') : pass(`${followed} cursors came back as they were given`);
}

/** The judge of DISCOVERY-011: each list of the run by itself. */
export function judgeEnds(history: History): Judgement {
  const from = ownEventsFrom(history);
  const begins = eventsOf(history, 'program').filter(({ index }) => index >= from).map(({ index }) => index);
  const judgements = begins.map((begin, at) => judgeEnd(history.slice(0, begins[at + 1]), begin));
  return judgements.find(({ verdict }) => verdict === 'fail') ?? judgements.find(({ verdict }) => verdict !== 'pass') ?? judgements[0] ?? inconclusive('no list was scripted');
}

function judgeEnd(history: History, from: number): Judgement {
  for (const { pages: run } of listings(history, SERVER)) {
    for (const [at, { nextCursor }] of run.entries()) {
      const next = run[at + 1];
      if (!endsListing(nextCursor) || next?.cursor === undefined || next.request.index < from) continue;
      return fail(`a page was asked for with ${JSON.stringify(next.cursor)} after the listing had ended`, [next.request.index]);
    }
  }
  return judgeWhole(history, SERVER, from, SHOWN);
}

interface Shape {
  readonly sizes: readonly number[];
  readonly end: 'absent' | 'null';
}

const few = fc.integer({ min: 1, max: 3 });

/** Where nothing is: an empty list, an empty page at the start, in the middle and at the end, and nowhere. */
const shapes: fc.Arbitrary<Shape[]> = oneOfEach<readonly number[]>([
  fc.constant([0]), few.map((some) => [0, some]), fc.tuple(few, few).map(([some, more]) => [some, 0, more]), few.map((some) => [some, 0]), fc.array(few, { minLength: 2, maxLength: 4 }),
]).chain((lists) => fc.constantFrom('absent', 'null').map((first) => lists.map((sizes, at): Shape => ({ sizes, end: (at % 2 === 0) === (first === 'null') ? 'null' : 'absent' }))));

const cursorNumbers = Array.from({ length: 20 }, (_, place) => `page-${place + 2}`);

/** Checks of pagination. */
export const paginationChecks: readonly Check[] = [
  property<readonly number[]>({
    id: 'DISCOVERY-001/pages', invariant: 'DISCOVERY-001', judge: judgePages, prepare, runs: 10,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 30 }), fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 5 })).map(([first, rest]) => [first, ...rest]),
    labels: (sizes) => [sizes.length > 2 ? 'many pages' : 'two pages', sizes.reduce((sum, size) => sum + size) > 20 ? 'many tools' : 'few tools'],
    minimums: { 'many pages': 2, 'many tools': 2 },
    async exercise(bench, sizes) {
      const word = freshWord();
      await showPages(bench, benches.get(bench), toolPages(sizes, word), word, cursorNumbers);
    },
  }),
  scripted({
    id: 'DISCOVERY-001/hundred-and-one', invariant: 'DISCOVERY-001', judge: judgePages,
    async exercise(bench) {
      const tools = toolPages([50, 50, 1], 'R08');
      const server = bench.serve(SERVER, paged(tools, ['eyJvZmZzZXQiOjUwfQ==', 'eyJvZmZzZXQiOjEwMH0=']));
      await bench.open([server]);
      await bench.registry(SHOWN, describes('R08'));
      await callEach(bench, (await bench.look()).tools);
    },
  }),
  property<readonly string[]>({
    id: 'DISCOVERY-002/opaque', invariant: 'DISCOVERY-002', judge: judgeCursors, prepare, runs: 8,
    arbitrary: hostileCursors,
    labels: cursorKindsOf,
    minimums: cursorMinimums(8),
    async exercise(bench, cursors) {
      const word = freshWord();
      const sizes = Array.from({ length: cursors.length + 1 }, () => 1);
      await showPages(bench, benches.get(bench), toolPages(sizes, word), word, cursors);
    },
  }),
  property<readonly Shape[]>({
    id: 'DISCOVERY-011/shapes', invariant: 'DISCOVERY-011', judge: judgeEnds, prepare, runs: 4,
    arbitrary: shapes,
    labels: (lists) => [
      ...lists.map(({ end }) => `end ${end}`),
      ...(lists.some(({ sizes }) => sizes.length === 1 && sizes[0] === 0) ? ['empty list'] : []),
      ...(lists.some(({ sizes }) => sizes.length > 1 && sizes.includes(0)) ? ['empty page'] : []),
    ].filter((label, at, all) => all.indexOf(label) === at),
    minimums: { 'end absent': 4, 'end null': 4, 'empty list': 4, 'empty page': 4 },
    async exercise(bench, lists) {
      for (const { sizes, end } of lists) {
        const word = freshWord();
        await showPages(bench, benches.get(bench), toolPages(sizes, word), word, cursorNumbers, end === 'null' ? null : undefined);
      }
    },
  }),
];

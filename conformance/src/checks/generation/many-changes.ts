/** The n-th change of a list costs what the first did (GENERATION-014). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, pages, sent } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { needListChanges, reachedAtTheEnd } from '../resync.ts';
import { announce, callEach, describes, listing, markedTool } from '../tool-lists.ts';

const SERVER = 'seasons';
/** Changes one after the other, half of which are compared with the other half. */
const CHANGES = 6;
/** Listings that the later half may cost more: one that trails here and there, or one beside an announcement. */
const MORE = 4;
/** A short silence before a list is read again, where a subject can be told so, in milliseconds. */
const QUICK = { listChangeQuietMs: 10 };

const season = (n: number): string => `season-${n}`;

async function exercise(bench: Bench): Promise<void> {
  needListChanges(bench);
  const isQuick = Object.keys(QUICK).every((name) => bench.subject.options.includes(name));
  const server = bench.serve(SERVER, listing(SERVER, [season(0)]), isQuick ? { options: QUICK } : {});
  await bench.open([server]);
  await bench.look();
  for (let change = 1; change <= CHANGES; change += 1) {
    await server.program(listing(SERVER, [season(change)]));
    await announce(server);
    const isShown = await bench.registry(`${season(change)} is shown`, describes(markedTool(SERVER, season(change)).description ?? ''));
    if (!isShown) break;
  }
  await callEach(bench, (await bench.look()).tools);
}

/** The judge of GENERATION-014. */
export function judgeEvenCost(history: History): Judgement {
  const changes = eventsOf(history, 'program').slice(-CHANGES);
  const announced = sent(history, SERVER, 'notifications/tools/list_changed').length;
  const [begin, middle] = [changes[0], changes[CHANGES / 2]];
  if (begin === undefined || middle === undefined || announced < CHANGES) return inconclusive(`the list changed ${announced} times, and not ${CHANGES} times`);
  const firsts = pages(history, SERVER).filter(({ cursor, request }) => cursor === undefined && request.index > begin.index);
  const early = firsts.filter(({ request }) => request.index < middle.index).length;
  const late = firsts.length - early;
  if (late > early + MORE) return fail(`the first ${CHANGES / 2} changes cost ${early} listings, the next ${CHANGES / 2} cost ${late}`, [begin.index, middle.index]);
  if (early === 0 || late === 0) return inconclusive('not in the history: a listing for changes of both halves');
  return reachedAtTheEnd(history, SERVER, season(CHANGES)) ? pass(`${CHANGES} changes: ${early} listings for the first half, ${late} for the second`) : inconclusive('the last change was not shown');
}

/** Checks of many changes. */
export const manyChangesChecks: readonly Check[] = [
  scripted({ id: 'GENERATION-014/one-after-the-other', invariant: 'GENERATION-014', judge: judgeEvenCost, exercise }),
];

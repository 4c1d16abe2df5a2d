/** Swaps are whole, and syncs come one after the other (GENERATION-006, GENERATION-007, GENERATION-008). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, holds, lastRegistry, pages, registrySnapshots, sent } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { identity, identityOf, reachedBy } from '../identities.ts';
import { onPage } from '../pages.ts';
import { needListChanges } from '../resync.ts';
import { announce, callEach, describes, listing, markedTool, type WrittenTool } from '../tool-lists.ts';
import { announcedTimes, held, listingAnswered } from '../wire-waits.ts';

const SERVER = 'stage';
const SWAPPED = 'the new set is shown';
/** Tools of each set: enough that a swap which waits in the middle is seen in the middle. */
const SET_SIZE = 150;

const ofSet = (set: string): string[] => Array.from({ length: SET_SIZE }, (_, at) => `${set}_${at}`);

async function exerciseSwap(bench: Bench): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, ofSet('old')));
  await bench.open([server]);
  await callEach(bench, (await bench.look()).tools);
  await server.program(listing(SERVER, ofSet('new')));
  const swapped = bench.registry(SWAPPED, describes(markedTool(SERVER, `new_${SET_SIZE - 1}`).description ?? ''));
  await announce(server);
  // Looks without pause, so that also a registry that tells nothing is seen in the middle.
  const over = swapped.then(() => true);
  do await bench.look();
  while (!(await Promise.race([over, nextTurn()])));
  await callEach(bench, (await bench.look()).tools);
}

/** Names of a set, whatever their order, as one text. */
function names(tools: readonly { readonly name: string }[]): string {
  return JSON.stringify(tools.map(({ name }) => name).sort());
}

/** The judge of GENERATION-006. */
export function judgeWholeSwap(history: History): Judgement {
  const looked = registrySnapshots(history).filter(({ event }) => event.cause === 'looked');
  const [first, last] = [looked[0], looked.at(-1)];
  if (first === undefined || last === undefined || first === last) return inconclusive('the registry was not looked at before and after');
  const [old, now] = [names(first.event.tools), names(last.event.tools)];
  if (old === now || barrierOf(history, SWAPPED)?.event.reached !== true) return inconclusive('the list was not seen to change');
  for (const { index, event } of registrySnapshots(history)) {
    const seen = names(event.tools);
    if (index <= first.index || seen === old || seen === now) continue;
    const kept = event.tools.filter(({ name }) => first.event.tools.some((tool) => tool.name === name)).length;
    return fail(`the registry was seen half done: ${kept} of ${first.event.tools.length} old tools and ${event.tools.length - kept} of ${last.event.tools.length} new ones`, [index]);
  }
  return pass(`in ${registrySnapshots(history).length} snapshots the registry held the old set or the new one`);
}

/** Lets everything else run once. */
function nextTurn(): Promise<false> {
  return new Promise((resolve) => {
    setImmediate(resolve, false);
  });
}

const HELD = 'the listing is held';
const MISSED = 'the change in the middle is shown';
const schema = { inputSchema: { type: 'object' } };
const early: WrittenTool = { ...markedTool(SERVER, 'early'), ...schema };
const late: WrittenTool = { ...markedTool(SERVER, 'late'), ...schema };

/**
 * A listing is held with its answer already fixed; then the list changes once more and says so; then the listing goes on.
 * Only a subject that lists again sees the last change.
 */
async function exerciseHeldListing(bench: Bench): Promise<void> {
  needListChanges(bench);
  const server = bench.serve(SERVER, listing(SERVER, ['before']));
  await bench.open([server]);
  await callEach(bench, (await bench.look()).tools);
  const stale = onPage(undefined, { tools: [early] }, 1);
  await server.program({ scenario: 1, tools: [early, late], rules: [{ ...stale, do: [{ hold: HELD }, ...stale.do] }] });
  const since = server.fixture.records.length;
  await announce(server);
  await bench.wire(server, HELD, held(HELD), { since });
  await announce(server, 3);
  await bench.wire(server, 'the change in the middle is announced', announcedTimes(4), { since });
  // A ping that the subject answers has seen the announcements before it; one that syncs at once has asked again by then.
  await server.fixture.do([{ request: { method: 'ping', id: 'after-the-announcements' } }]);
  await bench.wire(server, 'the subject read on', (record) => record.kind === 'frame' && record.direction === 'client-to-server' && record.raw.includes('after-the-announcements'), { since });
  await server.fixture.release(HELD);
  await bench.registry(MISSED, describes(late.description ?? ''));
  await bench.wire(server, 'the last listing is answered', listingAnswered(2), { since });
  await callEach(bench, (await bench.look()).tools);
}

/** Positions between which the listing was held, once the change in the middle was announced; `undefined` without them. */
function heldSpan(history: History): { readonly from: number; readonly to: number } | undefined {
  const from = holds(history, HELD, 'held')[0]?.index;
  const to = holds(history, HELD, 'released')[0]?.index;
  if (from === undefined || to === undefined) return undefined;
  const inside = sent(history, SERVER, 'notifications/tools/list_changed').some(({ index }) => index > from && index < to);
  return inside ? { from, to } : undefined;
}

/** The judge of GENERATION-007. */
export function judgeNotLost(history: History): Judgement {
  const span = heldSpan(history);
  if (span === undefined) return inconclusive('no change was announced while a listing was held');
  const shown = barrierOf(history, MISSED);
  if (shown === undefined) return inconclusive('the exercise did not wait for the change');
  const registry = lastRegistry(history);
  const reached = reachedBy(history);
  const offered = registry?.event.tools.map(({ name }) => identityOf(reached, name)) ?? [];
  if (!shown.event.reached) return fail('a change that was announced while a listing was under way never showed', [span.from, span.to, shown.index]);
  if (!offered.includes(identity(SERVER, 'late'))) return inconclusive('the new tool was not called');
  return pass('the change in the middle was followed', [span.from, span.to]);
}

/** The judge of GENERATION-008: no page was asked for while another waited for its answer. */
export function judgeOneAtATime(history: History): Judgement {
  const span = heldSpan(history);
  if (span === undefined) return inconclusive('no change was announced while a listing was held');
  const asked = pages(history, SERVER);
  for (const [at, page] of asked.entries()) {
    const open = asked.slice(0, at).find((earlier) => earlier.answer === undefined || earlier.answer.index > page.request.index);
    if (open !== undefined) return fail('a listing was begun while another was under way', [open.request.index, page.request.index]);
  }
  if (!asked.some(({ request }) => request.index > span.to)) return inconclusive('nothing was listed after the held listing');
  return pass(`${asked.length} pages were asked for one after the other`);
}

/** Checks of swaps and of the order of syncs. */
export const swappingChecks: readonly Check[] = [
  scripted({ id: 'GENERATION-006/large-swap', invariant: 'GENERATION-006', judge: judgeWholeSwap, exercise: exerciseSwap }),
  scripted({ id: 'GENERATION-007/held-listing', invariant: 'GENERATION-007', judge: judgeNotLost, exercise: exerciseHeldListing }),
  scripted({ id: 'GENERATION-008/held-listing', invariant: 'GENERATION-008', judge: judgeOneAtATime, exercise: exerciseHeldListing }),
];

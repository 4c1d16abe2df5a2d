/** The judge of several invariants: the registry holds a server's list, whole and in order. Pure. */
import { barrierOf, lastRegistry, listings, type Listing } from '../history/views.ts';
import type { History } from '../history/schema.ts';
import { fail, inconclusive, pass, type Judgement } from './check.ts';
import { few, identity, identityOf, reachedBy, textNames } from './identities.ts';

/** Whether a page's cursor ends the listing: absent or null (R10 leaves the empty one open). */
export function endsListing(nextCursor: unknown): boolean {
  return nextCursor === undefined || nextCursor === null;
}

/** The latest listing of a server, complete or not, from a position on. */
export function latestListing(history: History, server: string, from = 0): Listing | undefined {
  return listings(history, server).findLast((listing) => (listing.pages[0]?.request.index ?? -1) >= from);
}

/**
 * Compares the last registry with the latest listing of a server. Offered tools are paired by the calls in the history,
 * so an exercise calls each of them after its last look.
 * @param shown the barrier at which the exercise waited for the list; without it silence proves nothing
 */
export function judgeWhole(history: History, server: string, from: number, shown: string): Judgement {
  const registry = lastRegistry(history);
  const asked = listings(history, server).filter((listing) => (listing.pages[0]?.request.index ?? -1) >= from);
  if (asked.length === 0) return inconclusive(`"${server}" was never asked for its list`);
  if (registry === undefined) return inconclusive('nothing was looked at');
  // A listing that was not answered by the last look cannot show in it.
  const latest = asked.findLast(({ pages }) => (pages.at(-1)?.answer?.index ?? Infinity) < registry.index);
  const last = latest?.pages.at(-1);
  if (latest === undefined || last?.tools === undefined) return inconclusive(`no list of "${server}" was answered to its end before the last look`);
  if (!endsListing(last.nextCursor)) {
    const read = latest.pages.length;
    // Reached: the subject shows the list without it. Not reached: it had its declared time after the page was answered.
    return barrierOf(history, shown) === undefined
      ? inconclusive(`page ${read + 1} of the list of "${server}" was not asked for yet`)
      : fail(`page ${read + 1} of the list of "${server}" was never asked for`, [last.request.index, registry.index]);
  }
  const due = textNames(latest.tools).map((name) => identity(server, name));
  const reached = reachedBy(history);
  const offered = registry.event.tools.flatMap(({ name }) => identityOf(reached, name) ?? []).filter((one) => one.startsWith(`[${JSON.stringify(server)},`));
  const evidence = [last.answer?.index ?? 0, registry.index];
  const missing = due.filter((one) => !offered.includes(one));
  if (missing.length > 0) return fail(`${missing.length} of ${due.length} listed tools of "${server}" are not offered: ${few(missing)}`, evidence);
  const extra = offered.filter((one) => !due.includes(one));
  if (extra.length > 0) return fail(`offered but not listed any more: ${few(extra)}`, evidence);
  const place = offered.findIndex((one, at) => one !== due[at]);
  if (place !== -1) return fail(`the order is not that of the list: ${String(offered[place])} is in place ${place + 1}, due was ${String(due[place])}`, evidence);
  return pass(`all ${due.length} tools of ${latest.pages.length} pages are offered in order`, evidence);
}

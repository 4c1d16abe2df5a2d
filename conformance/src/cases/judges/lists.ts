/** Lists, on any case. */
import { fail, inconclusive, pass, type Judgement } from '../../checks/check.ts';
import { few, identity, openedServers } from '../../checks/identities.ts';
import { endsListing } from '../../checks/whole-lists.ts';
import type { History } from '../../history/schema.ts';
import { isObject, listings, messageOf, pages, registrySnapshots, subjectOf, type Page } from '../../history/views.ts';
import { rawNamesOf, recognise } from '../marking.ts';
import { definitionOf, isNamedAloud, listsBefore, namesIn, registryWhileOpen } from './facts.ts';
import type { CaseJudge } from './case-judge.ts';

/** A list with one name twice is void (S26). */
const isVoid = (names: readonly string[]): boolean => new Set(names).size !== names.length;

/** The registry holds the last list of each server, whole, in its order, and nothing else of it. */
export function judgeWhole(history: History): Judgement {
  const seen = registryWhileOpen(history);
  if (seen === undefined) return inconclusive('nobody looked at the registry');
  const lists = listsBefore(history, seen.index);
  let judged = 0;
  for (const [server, { tools, pages: read }] of lists) {
    const names = namesIn(tools);
    // What then holds is another invariant's.
    if (isVoid(names) || names.some((name) => isNamedAloud(history, name))) continue;
    const offered = rawNamesOf(seen.event.tools, server);
    if (offered.length === names.length && offered.every((name, at) => name === names[at])) judged += names.length;
    else {
      const missing = names.filter((name) => !offered.includes(name));
      const extra = offered.filter((name) => !names.includes(name));
      const what = missing.length > 0 ? `${missing.length} of ${names.length} listed tools are not offered: ${few(missing)}` : extra.length > 0 ? `offered and not listed any more: ${few(extra)}` : 'the order is not that of the list';
      return fail(`of "${server}": ${what}`, [read.at(-1)?.answer?.index ?? 0, seen.index]);
    }
  }
  return judged === 0 ? inconclusive('no list was read to its end') : pass(`${judged} listed tools are offered, in their order`);
}

/** A listing that has more pages is read on, and then held whole. */
function judgeEveryPage(history: History): Judgement {
  for (const server of openedServers(history)) {
    const last = listings(history, server).at(-1)?.pages.at(-1);
    if (last?.tools !== undefined && typeof last.nextCursor === 'string' && last.nextCursor !== '') {
      return fail(`the page after the cursor ${JSON.stringify(last.nextCursor)} of "${server}" was never asked for`, [last.answer?.index ?? last.request.index]);
    }
  }
  const followed = openedServers(history).some((server) => pages(history, server).some(({ cursor }) => typeof cursor === 'string'));
  return followed ? judgeWhole(history) : inconclusive('every list had one page only');
}

/** Whether a page had come when the next one was asked for; where it had not, or was refused, the same page may be asked for again. */
const wasRead = (page: Page | undefined, next: Page): boolean => page?.tools !== undefined && page.answer !== undefined && page.answer.index < next.request.index;

/** Each page is asked for with the cursor that the last one of its listing gave, and the first with none. Listings may overlap. */
function judgeCursors(history: History): Judgement {
  let followed = 0;
  for (const server of openedServers(history)) {
    for (const { pages: read } of listings(history, server)) {
      for (const [at, page] of read.entries()) {
        const { params } = messageOf(page.request.event) as { params?: unknown };
        if (!isObject(params) || !Object.hasOwn(params, 'cursor')) continue;
        const last = read[at - 1];
        const given = wasRead(last, page) ? last?.nextCursor : last?.cursor;
        if (endsListing(given) || page.cursor !== given) return fail(`"${server}": the page after ${JSON.stringify(given)} was asked for with ${JSON.stringify(page.cursor)}`, [page.request.index]);
        followed += 1;
      }
    }
  }
  return followed === 0 ? inconclusive('no page was asked for by cursor') : pass(`${followed} cursors came back as they were given`);
}

/** Nothing is asked for after a listing has ended, and the list is held. Listings may overlap. */
function judgeEnds(history: History): Judgement {
  for (const server of openedServers(history)) {
    for (const { pages: read } of listings(history, server)) {
      const late = read.find((page, at) => {
        const last = read[at - 1];
        return page.cursor !== undefined && wasRead(last, page) && endsListing(last?.nextCursor);
      });
      if (late !== undefined) return fail(`a page of "${server}" was asked for after its listing had ended`, [late.request.index]);
    }
  }
  return judgeWhole(history);
}

/** Description and schema as they were listed. The suite's mark stands in both. */
function judgeAsListed(history: History): Judgement {
  const seen = registryWhileOpen(history);
  const ordered = subjectOf(history)?.fidelity.keyOrder !== false;
  const text = (value: unknown): string => JSON.stringify(ordered ? value : sorted(value));
  let judged = 0;
  for (const [server, { tools }] of listsBefore(history, seen?.index ?? 0)) {
    for (const tool of tools) {
      if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
      const offered = seen?.event.tools.find((one) => recognise(one)?.server === server && recognise(one)?.rawName === tool['name']);
      if (offered === undefined) continue;
      const due = [tool['description'] ?? '', tool['inputSchema']];
      if (text([offered.description, offered.parameters]) !== text(due)) {
        return fail(`${identity(server, tool['name'])} was listed with ${text(due).slice(0, 300)} and is offered with ${text([offered.description, offered.parameters]).slice(0, 300)}`, [seen?.index ?? 0]);
      }
      judged += 1;
    }
  }
  return judged === 0 ? inconclusive('no listed tool is offered') : pass(`${judged} tools are offered as they were listed`);
}

/** Well-formed entries of the last lists are offered, whatever stands beside them. */
function judgeSiblings(history: History): Judgement {
  const seen = registryWhileOpen(history);
  if (seen === undefined) return inconclusive('nobody looked at the registry');
  let judged = 0;
  for (const [server, { tools }] of listsBefore(history, seen.index)) {
    // What becomes of a void list is another invariant's (DISCOVERY-006).
    if (isVoid(namesIn(tools))) continue;
    const good = tools.filter((tool) => isObject(tool) && isObject(tool['inputSchema']) && tool['inputSchema']['type'] === 'object');
    const offered = rawNamesOf(seen.event.tools, server);
    const lost = namesIn(good).find((name) => !offered.includes(name));
    if (lost !== undefined) return fail(`${JSON.stringify(lost)} of "${server}", which is well-formed, is not offered`, [seen.index]);
    judged += good.length;
  }
  return judged === 0 ? inconclusive('no well-formed tool was listed') : pass(`${judged} well-formed tools are offered`);
}

/** A list that changed is followed. */
function judgeFollowed(history: History): Judgement {
  const changed = openedServers(history).some((server) => new Set(listings(history, server).map(({ tools }) => JSON.stringify(namesIn(tools)))).size > 1);
  const whole = judgeWhole(history);
  return whole.verdict === 'pass' && !changed ? inconclusive('no list changed') : whole;
}

/** What is listed the same is offered the same. */
function judgeUnchanged(history: History): Judgement {
  const listed = new Map<string, Set<string>>();
  for (const server of openedServers(history)) {
    for (const { tools } of listings(history, server)) {
      for (const tool of tools) {
        if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
        const key = identity(server, tool['name']);
        listed.set(key, (listed.get(key) ?? new Set()).add(JSON.stringify(tool)));
      }
    }
  }
  const offered = new Map<string, string>();
  for (const { index, event } of registrySnapshots(history)) {
    for (const tool of event.tools) {
      const known = recognise(tool);
      const key = known === undefined ? undefined : identity(known.server, known.rawName);
      if (key === undefined || listed.get(key)?.size !== 1) continue;
      const before = offered.get(key);
      if (before !== undefined && before !== definitionOf(tool)) return fail(`${key} was always listed the same and is offered in another way`, [index]);
      offered.set(key, definitionOf(tool));
    }
  }
  const again = openedServers(history).some((server) => listings(history, server).filter(({ complete }) => complete).length > 1);
  return again && offered.size > 0 ? pass(`${offered.size} tools stayed as they were`) : inconclusive('no list was read twice');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => sorted(one));
  if (!isObject(value)) return value;
  return Object.keys(value).sort().map((key) => [key, sorted(value[key])]);
}

/** By invariant. */
export const listJudges: Readonly<Record<string, CaseJudge>> = {
  'DISCOVERY-001': judgeEveryPage, 'DISCOVERY-002': judgeCursors, 'DISCOVERY-008': judgeAsListed, 'DISCOVERY-009': judgeSiblings, 'DISCOVERY-011': judgeEnds,
  'GENERATION-001': judgeFollowed, 'GENERATION-002': judgeUnchanged,
};

/** What judges of free cases share. Pure. */
import type { OfferedTool } from '../../adapter/messages.ts';
import { mentions, openedServers, saidAloud } from '../../checks/identities.ts';
import { endsListing } from '../../checks/whole-lists.ts';
import type { EventOf, History } from '../../history/schema.ts';
import { eventsOf, isObject, lastRegistry, listings, pairedCalls, received, paramsOf, answerTo, type At, type Listing, type PairedCall } from '../../history/views.ts';
import { PROBE } from '../../history/views.ts';

/** The last registry that was seen while the subject was open. */
export function registryWhileOpen(history: History): At<EventOf<'registry'>> | undefined {
  const closing = eventsOf(history, 'request').findLast(({ event }) => event.step === 'close');
  return lastRegistry(history, closing?.index ?? history.length);
}

/** The last listing of each server that was answered to its end before a position, by server. */
export function listsBefore(history: History, before: number): ReadonlyMap<string, Listing> {
  const found = new Map<string, Listing>();
  for (const server of openedServers(history)) {
    const done = listings(history, server).findLast(
      ({ pages }) => pages.every(({ tools }) => tools !== undefined) && endsListing(pages.at(-1)?.nextCursor) && (pages.at(-1)?.answer?.index ?? Infinity) < before,
    );
    if (done !== undefined) found.set(server, done);
  }
  return found;
}

/** Names in a list that are texts. */
export function namesIn(tools: readonly unknown[]): string[] {
  return tools.flatMap((tool) => (isObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : []));
}

/** Calls with what they came to on the wire; those without a probe are paired by order. */
export function casePairs(history: History): PairedCall[] {
  const pairs = pairedCalls(history);
  const taken = new Set(pairs.flatMap(({ requests }) => requests.map(({ index }) => index)));
  return pairs.map((pair) => {
    const { server, rawName, request } = pair.call.event;
    if (pair.requests.length > 0 || server === undefined || (isObject(request.arguments) && Object.hasOwn(request.arguments, PROBE))) return pair;
    const until = pair.outcome?.index ?? history.length;
    const own = received(history, server, 'tools/call').find(
      ({ index, event }) => index > pair.call.index && index < until && !taken.has(index) && paramsOf(event)['name'] === rawName,
    );
    if (own === undefined) return pair;
    taken.add(own.index);
    return { ...pair, requests: [own], answer: answerTo(history, own) };
  });
}

/** Whether a warning, an error or a message of a start names this tool. */
export function isNamedAloud(history: History, rawName: string): boolean {
  return saidAloud(history).some(({ text }) => mentions(text, rawName));
}

/** The definition of a tool, as text. */
export function definitionOf({ name, description, parameters }: OfferedTool): string {
  return JSON.stringify([name, description, parameters]);
}

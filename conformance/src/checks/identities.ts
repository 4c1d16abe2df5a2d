/**
 * What judges of names, discovery and generations share: identities, which public name reached which, and what was said
 * aloud. Pure.
 */
import { eventsOf, isObject, listings, logLines, pairings, type Listing } from '../history/views.ts';
import type { History } from '../history/schema.ts';

/** One tool of one server, as one string. */
export function identity(server: string, rawName: unknown): string {
  return JSON.stringify([server, rawName]);
}

/** Each identity that a call of each public name reached, with the position of the call. */
export function reachedBy(history: History): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const { publicName, server, rawName, call } of pairings(history)) {
    const reached = found.get(publicName) ?? new Map<string, number>();
    reached.set(identity(server, rawName), call.call.index);
    found.set(publicName, reached);
  }
  return found;
}

/** Every public name by which each identity was reached. */
export function namesOf(history: History): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [publicName, reached] of reachedBy(history)) {
    for (const one of reached.keys()) found.set(one, (found.get(one) ?? new Set()).add(publicName));
  }
  return found;
}

/** The one identity a public name reached; `undefined` when it was never called or reached several. */
export function identityOf(reached: ReturnType<typeof reachedBy>, publicName: string): string | undefined {
  const identities = reached.get(publicName);
  return identities?.size === 1 ? [...identities.keys()][0] : undefined;
}

/** The last listing of a server that was answered to its end. */
export function lastListing(history: History, server: string): Listing | undefined {
  return listings(history, server).findLast((listing) => listing.complete);
}

/** The text names in a list, in order; other entries have none. */
export function textNames(tools: readonly unknown[]): string[] {
  return tools.flatMap((tool) => (isObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : []));
}

/** Names of the servers that the subject was given, in order of first appearance. */
export function openedServers(history: History): string[] {
  return [...new Set(eventsOf(history, 'request').flatMap(({ event }) => event.servers.map(({ name }) => name)))];
}

/** What a person could have read since a position: warnings, errors and the messages of settled steps. */
export function saidAloud(history: History, since = 0): { readonly index: number; readonly text: string }[] {
  const logged = logLines(history)
    .filter(({ index, event }) => index >= since && (event.level === 'warn' || event.level === 'error'))
    .map(({ index, event }) => ({ index, text: event.message }));
  const settled = eventsOf(history, 'settled')
    .filter(({ index }) => index >= since)
    .flatMap(({ index, event }) => event.servers.flatMap(({ message }) => (message === undefined ? [] : [{ index, text: message }])));
  return [...logged, ...settled].sort((a, b) => a.index - b.index);
}

/** Characters as JSON, JavaScript, Python and others write them within quotes: `\u00fc`, `\u{fc}`, `\U000000fc`, `\xfc`. */
const ESCAPED = /\\(?:u\{([\dA-Fa-f]{1,6})\}|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|x([\dA-Fa-f]{2}))/g;
const LAST_CODE_POINT = 0x10_ff_ff;

function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, (whole, ...groups: unknown[]) => {
    const hex = groups.slice(0, 4).find((group) => typeof group === 'string');
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Infinity;
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
}

/** Whether a text names this raw name, as it is or quoted, in the way of JSON or another language; a long one by its first 40 characters. */
export function mentions(text: string, rawName: string): boolean {
  const start = rawName.slice(0, 40);
  const quoted = JSON.stringify(start).slice(1, -1);
  if (text.includes(start) || text.includes(quoted)) return true;
  const plain = text.includes('\\') ? unescaped(text) : text;
  return plain.includes(start) || plain.includes(unescaped(quoted));
}

/** Whether a text has each of these words whole, bounded by anything that no name of a server holds. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const found = new Set(text.match(/[A-Za-z0-9_-]+/g));
  return words.every((word) => found.has(word));
}

/** At most three of them, quoted, for a message. */
export function few(values: readonly string[]): string {
  const shown = values.slice(0, 3).map((value) => (value.length > 120 ? `${value.slice(0, 119)}…` : value)).join(', ');
  return values.length > 3 ? `${shown} and ${values.length - 3} more` : shown;
}

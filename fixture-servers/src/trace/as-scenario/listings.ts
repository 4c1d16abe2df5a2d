/** The tool lists of a conversation, and how they were paged. */
import { isJsonObject, jsonText, member } from '../../jsonrpc/message.ts';
import type { ScenarioInput, ToolEntry } from '../../scenario/schema.ts';
import { toolEntry } from '../../scenario/tools.ts';
import { canonical } from '../conversation/canonical.ts';
import type { Life, Turn } from '../conversation/model.ts';

/** The most pages of one listing that are followed: a cursor may lead in circles. */
const MAX_PAGES = 10_000;

/** One listing from its first page to its last. */
export interface Listing {
  /** The turns that asked for its pages. */
  readonly turns: readonly Turn[];
  readonly pages: readonly (readonly unknown[])[];
  /** The cursors between the pages. */
  readonly cursors: readonly unknown[];
  readonly tools: readonly unknown[];
}

/** The complete listings of a life, in order. Listings of which pages are missing, refused or in a circle are none. */
export function listingsOf(life: Life): Listing[] {
  const found: Listing[] = [];
  let current: { turns: Turn[]; pages: unknown[][]; cursors: unknown[]; next: unknown } | undefined;
  for (const turn of life.turns) {
    if (turn.kind !== 'request' || turn.method !== 'tools/list') continue;
    const cursor = isJsonObject(turn.params) ? member(turn.params, 'cursor') : undefined;
    if (cursor === undefined) current = { turns: [], pages: [], cursors: [], next: undefined };
    else if (current === undefined || jsonText(current.next) !== jsonText(cursor)) {
      current = undefined;
      continue;
    } else current.cursors.push(cursor);
    const result = resultOf(turn);
    const tools = result === undefined ? undefined : member(result, 'tools');
    if (!Array.isArray(tools) || result === undefined || current.pages.length >= MAX_PAGES) {
      current = undefined;
      continue;
    }
    current.turns.push(turn);
    current.pages.push(tools);
    current.next = member(result, 'nextCursor');
    if (current.next !== undefined) continue;
    found.push({ turns: current.turns, pages: current.pages, cursors: current.cursors, tools: current.pages.flat() });
    current = undefined;
  }
  return found;
}

/** The result a turn was answered with. */
export function resultOf(turn: Turn): Readonly<Record<string, unknown>> | undefined {
  const answer = turn.deeds.find((deed) => deed.kind === 'answer');
  const result = answer?.kind === 'answer' && isJsonObject(answer.message) ? member(answer.message, 'result') : undefined;
  return isJsonObject(result) ? result : undefined;
}

/** How the pages of a listing are cut; `undefined` for one page, or pages that no rule of thumb explains. */
export function paginationOf({ pages, cursors }: Listing): ScenarioInput['pagination'] {
  const pageSize = pages[0]?.length ?? 0;
  const isEven = pages.every((page, index) => (index < pages.length - 1 ? page.length === pageSize : page.length <= pageSize && page.length > 0));
  if (pages.length < 2 || pageSize === 0 || !isEven) return undefined;
  const plain = templateOf(cursors, pageSize, (cursor) => cursor);
  if (plain !== undefined) return { pageSize, ...(plain === 'offset:{n}' ? {} : { cursor: plain }) };
  const encoded = templateOf(cursors, pageSize, (cursor) => Buffer.from(cursor, 'base64').toString('utf8'));
  const isBase64 = encoded !== undefined && cursors.every((cursor, index) => Buffer.from(encoded.replaceAll('{n}', String((index + 1) * pageSize))).toString('base64') === cursor);
  // A cursor that only its server understands: another one does as well.
  return { pageSize, ...(isBase64 ? { cursor: encoded, base64: true } : {}) };
}

/** The text around the offset, if all cursors have one alike. */
function templateOf(cursors: readonly unknown[], pageSize: number, decode: (cursor: string) => string): string | undefined {
  const [first] = cursors;
  if (typeof first !== 'string') return undefined;
  const template = decode(first).replace(String(pageSize), '{n}');
  if (!template.includes('{n}')) return undefined;
  const fits = cursors.every((cursor, index) => typeof cursor === 'string' && decode(cursor) === template.replaceAll('{n}', String((index + 1) * pageSize)));
  return fits ? template : undefined;
}

/** What a tool always answered: with a result or an error that the scenario can put beside it. */
export type ToolAnswers = ReadonlyMap<string, { readonly result: unknown } | { readonly error: unknown }>;

/** The answers of tools that gave the same one to every call, in all lives. */
export function steadyAnswers(lives: readonly Life[]): ToolAnswers {
  const steady = new Map<string, { key: string; answer: { result: unknown } | { error: unknown } } | undefined>();
  for (const turn of lives.flatMap((life) => life.turns)) {
    if (turn.kind !== 'request' || turn.method !== 'tools/call' || !isJsonObject(turn.params)) continue;
    const name = member(turn.params, 'name');
    if (typeof name !== 'string') continue;
    const answer = turn.deeds.find((deed) => deed.kind === 'answer');
    if (answer?.kind !== 'answer' || !isJsonObject(answer.message)) continue;
    const value = Object.hasOwn(answer.message, 'error') ? { error: answer.message['error'] } : { result: answer.message['result'] };
    const key = canonical(value);
    const before = steady.get(name);
    if (!steady.has(name)) steady.set(name, { key, answer: value });
    else if (before !== undefined && before.key !== key) steady.set(name, undefined);
  }
  return new Map([...steady].flatMap(([name, entry]) => (entry === undefined ? [] : [[name, entry.answer] as const])));
}

/** Listed tools as entries of a scenario: written out where the language can say them, raw otherwise. */
export function toEntries(tools: readonly unknown[], answers: ToolAnswers): ToolEntry[] {
  return tools.map((tool) => {
    if (isJsonObject(tool) && Object.hasOwn(tool, 'inputSchema') && !Object.hasOwn(tool, 'result') && !Object.hasOwn(tool, 'error')) {
      const name = member(tool, 'name');
      const answer = typeof name === 'string' ? answers.get(name) : undefined;
      for (const candidate of [{ ...tool, ...answer }, tool]) {
        const parsed = toolEntry.safeParse(candidate);
        if (parsed.success && 'name' in parsed.data) return parsed.data;
      }
    }
    return { raw: tool };
  });
}

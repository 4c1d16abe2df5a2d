/**
 * Pure helpers for judges: what crossed the wire of scripted servers, requests with their answers, faults, listings.
 */
import type { FrameRecord, TraceRecord } from 'mcp-fixture-server/trace';
import { eventsOf, type At } from './basic-views.ts';
import type { History } from './schema.ts';

/** Narrows what is looked for. */
export interface WireFilter {
  /** Name of the server. */
  readonly server?: string;
  readonly direction?: FrameRecord['direction'];
  /** JSON-RPC method of the message. */
  readonly method?: string;
  readonly incarnation?: number;
}

/** A JSON object as it came. */
type Json = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Records of traces, of one kind, in order. */
export function wireRecords<K extends TraceRecord['kind']>(
  history: History,
  kind: K,
  server?: string,
): At<Extract<TraceRecord, { kind: K }>>[] {
  return eventsOf(history, 'wire').flatMap(({ index, event: { record } }) =>
    isOf(record, kind) && (server === undefined || record.server === server) ? [{ index, event: record }] : [],
  );
}

function isOf<K extends TraceRecord['kind']>(record: TraceRecord, kind: K): record is Extract<TraceRecord, { kind: K }> {
  return record.kind === kind;
}

/** Frames in order. */
export function frames(history: History, filter: WireFilter = {}): At<FrameRecord>[] {
  return wireRecords(history, 'frame', filter.server).filter(
    ({ event }) =>
      (filter.direction === undefined || event.direction === filter.direction) &&
      (filter.incarnation === undefined || event.incarnation === filter.incarnation) &&
      (filter.method === undefined || (isObject(event.message) && event.message['method'] === filter.method)),
  );
}

/** What a server received, by method. */
export function received(history: History, server: string | undefined, method: string): At<FrameRecord>[] {
  return frames(history, { direction: 'client-to-server', method, ...(server === undefined ? {} : { server }) });
}

/** What a server sent, by method: notifications and requests of the server. */
export function sent(history: History, server: string | undefined, method: string): At<FrameRecord>[] {
  return frames(history, { direction: 'server-to-client', method, ...(server === undefined ? {} : { server }) });
}

/** The message of a frame when it is a JSON object, `{}` otherwise. */
export function messageOf(frame: FrameRecord): Json {
  return isObject(frame.message) ? frame.message : {};
}

/** The params of a frame's message when they are an object, `{}` otherwise. */
export function paramsOf(frame: FrameRecord): Json {
  const { params } = messageOf(frame) as { params?: unknown };
  return isObject(params) ? params : {};
}

/** The first answer that the same process sent to this request: same id, no method. */
export function answerTo(history: History, request: At<FrameRecord>): At<FrameRecord> | undefined {
  const key = answerKey(request.event);
  return key === undefined ? undefined : answersOf(history).get(key)?.find(({ index }) => index > request.index);
}

/** Answers by whom and what they answer, worked out once for each history: a listing may have thousands of pages. */
const answerIndexes = new WeakMap<History, Map<string, At<FrameRecord>[]>>();

function answersOf(history: History): Map<string, At<FrameRecord>[]> {
  const known = answerIndexes.get(history);
  if (known !== undefined) return known;
  const index = new Map<string, At<FrameRecord>[]>();
  for (const frame of frames(history, { direction: 'server-to-client' })) {
    const key = messageOf(frame.event)['method'] === undefined ? answerKey(frame.event) : undefined;
    if (key === undefined) continue;
    const same = index.get(key);
    if (same === undefined) index.set(key, [frame]);
    else same.push(frame);
  }
  answerIndexes.set(history, index);
  return index;
}

function answerKey(frame: FrameRecord): string | undefined {
  const { id } = messageOf(frame);
  return id === undefined ? undefined : JSON.stringify([frame.server, frame.pid, frame.session ?? null, id]);
}

/** Faults that fired: a rule's actions, each as it was performed. */
export function faultsFired(history: History, server?: string, rule?: string): At<Extract<TraceRecord, { kind: 'fault' }>>[] {
  return wireRecords(history, 'fault', server).filter(({ event }) => rule === undefined || event.rule === rule);
}

/** Holds that were reached or released. */
export function holds(history: History, hold: string, event: 'held' | 'released'): At<Extract<TraceRecord, { kind: 'hold' }>>[] {
  return wireRecords(history, 'hold').filter((found) => found.event.hold === hold && found.event.event === event);
}

/** One page as it was asked for and answered. */
export interface Page {
  readonly request: At<FrameRecord>;
  /** Absent while unanswered. */
  readonly answer: At<FrameRecord> | undefined;
  readonly cursor: unknown;
  /** The answer's tools, when it is a list. */
  readonly tools: readonly unknown[] | undefined;
  readonly nextCursor: unknown;
}

/** Requests of `tools/list` with their answers, in order of the requests. */
export function pages(history: History, server: string): Page[] {
  return received(history, server, 'tools/list').map((request) => {
    const answer = answerTo(history, request);
    const result = answer === undefined ? undefined : messageOf(answer.event)['result'];
    const tools = isObject(result) && Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : undefined;
    return {
      request, answer, tools,
      cursor: paramsOf(request.event)['cursor'],
      nextCursor: isObject(result) ? result['nextCursor'] : undefined,
    };
  });
}

/** A listing from its first page (no cursor) to its last. */
export interface Listing {
  readonly pages: readonly Page[];
  /** Every page was answered and the last one has no `nextCursor`, or a null one. */
  readonly complete: boolean;
  /** The tools of all pages. */
  readonly tools: readonly unknown[];
}

/** Whether a page was asked for because of the one before. */
function leadsTo(last: Page | undefined, page: Page): boolean {
  return last?.answer !== undefined && last.answer.index < page.request.index && last.request.event.pid === page.request.event.pid && last.nextCursor === page.cursor;
}

/**
 * Listings of one server: each begins with a request without cursor. Listings that overlap are told apart by their
 * cursors: a page belongs to the listing of its process whose last page gave that cursor, the latest such one, since an
 * earlier one may have been broken off. A page under a cursor that nobody gave is counted to the latest listing.
 */
export function listings(history: History, server: string): Listing[] {
  const groups: Page[][] = [];
  const open = new Set<Page[]>();
  for (const page of pages(history, server)) {
    const continued = page.cursor === undefined ? undefined : [...open].findLast((group) => leadsTo(group.at(-1), page)) ?? groups.at(-1);
    const group = continued ?? [];
    if (continued === undefined) groups.push(group);
    group.push(page);
    // It goes to the end of those that wait, or leaves them.
    open.delete(group);
    if (typeof page.nextCursor === 'string') open.add(group);
  }
  return groups.map((group) => ({
    pages: group,
    complete: group.every((page) => page.tools !== undefined) && (group.at(-1)?.nextCursor ?? undefined) === undefined,
    tools: group.flatMap((page) => page.tools ?? []),
  }));
}

/**
 * Processes of a server as they tell of themselves: when each began, until when it is known to have lived, what it listed.
 * Pure.
 */
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { History } from '../../history/schema.ts';
import { eventsOf, frames, messageOf, pages, received, type At } from '../../history/views.ts';
import { endsListing } from '../whole-lists.ts';
import { textNames } from '../identities.ts';

type ProcessRecord = Extract<TraceRecord, { kind: 'process' }>;

/** One process of one server. */
export interface Life {
  readonly pid: number;
  /** Its first word. */
  readonly start: At<ProcessRecord>;
  /** When it had begun, at the latest: a busy machine takes long before a process can say its first word. */
  readonly beganAtMs: number;
  /**
   * The last record that it wrote itself: it certainly lived until then. Whoever is killed cannot say so, and what is told
   * of its end is told a little later.
   */
  readonly lastSign: At<TraceRecord>;
  /** Its end, told by itself or by the end of its control channel; absent while it lives. */
  readonly end: At<ProcessRecord> | undefined;
}

/** What a client of another era asks a process of its own before it starts the real one. */
const PROBE_METHOD = 'server/discover';

/** Every process of a server that was scripted, in the order of their starts. One that was only probed was never used. */
export function livesOf(history: History, server: string): Life[] {
  const lives: { pid: number; start: At<ProcessRecord>; beganAtMs: number; lastSign: At<TraceRecord>; end: At<ProcessRecord> | undefined }[] = [];
  for (const { index, event: { record } } of eventsOf(history, 'wire')) {
    if (record.server !== server) continue;
    if (record.kind === 'process' && record.event === 'start') {
      const start = { index, event: record };
      lives.push({ pid: record.pid, start, beganAtMs: record.atMs - (record.ageMs ?? 0), lastSign: start, end: undefined });
      continue;
    }
    const life = lives.findLast(({ pid }) => pid === record.pid);
    if (life === undefined) continue;
    if (record.kind === 'process' && record.event === 'exit') life.end = { index, event: record };
    if (!isTold(record)) life.lastSign = { index, event: record };
  }
  if (received(history, server, PROBE_METHOD).length === 0) return lives;
  return lives.filter(({ pid }) => {
    const methods = frames(history, { server, direction: 'client-to-server' }).filter(({ event }) => event.pid === pid).map(({ event }) => messageOf(event)['method']);
    return methods.length === 0 || methods.some((method) => method !== PROBE_METHOD);
  });
}

/** An end without code and signal was told by the suite's own controller, not by the process. */
function isTold(record: TraceRecord): boolean {
  return record.kind === 'process' && record.event === 'exit' && record.code === undefined && record.signal === undefined;
}

/** Where the answer stands that completed a good listing of this process, its last one; `undefined` when there was none. */
export function listedAt(history: History, server: string, life: Life): At<TraceRecord> | undefined {
  const own = pages(history, server).filter(({ request }) => request.event.pid === life.pid && request.index > life.start.index);
  const last = own.findLast(({ tools, nextCursor }) => tools !== undefined && endsListing(nextCursor));
  if (last?.answer === undefined) return undefined;
  const names = textNames(last.tools ?? []);
  return new Set(names).size === names.length ? last.answer : undefined;
}

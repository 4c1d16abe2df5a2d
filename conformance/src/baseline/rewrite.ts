/**
 * Rewrites a baseline so that it fits: stale entries go, changed ones get the new message, unknown failures get an entry.
 * Reasons and comments stay.
 */
import { Document, isMap, isSeq } from 'yaml';
import type { RunSummary } from '../runner/result.ts';
import type { Comparison } from './compare.ts';
import { BASELINE_VERSION, type BaselineEntry } from './schema.ts';

/** Fewer characters would match anything. */
const MIN_PREFIX = 12;

/**
 * The beginning of a message, at most 120 characters, up to the first time in milliseconds or process id: those differ
 * from run to run.
 */
export function stablePrefix(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  const volatile = line.search(/\d+(?:\.\d+)?\s?ms\b|\bpid \d/);
  const end = volatile >= MIN_PREFIX ? volatile : line.length;
  // By whole code points: half of one would be written as something else.
  return (/^.{0,120}/u.exec(line.slice(0, end))?.[0] ?? '').trimEnd();
}

/** The new text. `document` is the one that was read; without one a new baseline is begun. `today` dates new entries. */
export function rewriteBaseline(document: Document | undefined, { stale, changed, unknown }: Comparison, today: string): string {
  const next = document?.clone() ?? new Document({ baseline: BASELINE_VERSION, known: [] });
  for (const { index, run } of changed) next.setIn(['known', index, 'message'], stablePrefix(run.message));
  // From the end, so that the places of the others stay.
  for (const { index } of [...stale].sort((a, b) => b.index - a.index)) next.deleteIn(['known', index]);
  for (const run of distinct(unknown)) next.addIn(['known'], next.createNode(entryFor(run, today)));
  const known: unknown = next.get('known', true);
  // An empty list that was written `[]` would make every entry that is added stand on one line.
  if (isSeq(known) && known.items.length > 0) {
    known.flow = false;
    for (const item of known.items) if (isMap(item)) item.flow = false;
  }
  return next.toString({ lineWidth: 0 });
}

function entryFor(run: RunSummary, today: string): BaselineEntry {
  return {
    check: run.check, ...(run.target === 'fixture' ? {} : { target: run.target }), message: stablePrefix(run.message),
    reason: `new on ${today}: say why this failure is accepted`,
  };
}

/** One entry for runs that would get the same. */
function distinct(runs: readonly RunSummary[]): RunSummary[] {
  const byEntry = new Map(runs.map((run) => [JSON.stringify([run.check, run.target, stablePrefix(run.message)]), run]));
  return [...byEntry.values()];
}

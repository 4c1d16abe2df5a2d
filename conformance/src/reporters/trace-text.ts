/**
 * The part of a history around a judge's evidence, for a person.
 */
import type { History } from '../history/schema.ts';
import { eventText } from './event-text.ts';

/** Events shown before and after each piece of evidence. */
const BEFORE = 6;
const AFTER = 2;
/** Events shown from the end when a judge points at none. */
const LAST = 12;
/** The most lines; the saved history holds the rest. */
const MAX_LINES = 40;

/** Lines, times in milliseconds from the first event shown; evidence is marked with `>`. */
export function traceText(history: History, evidence: readonly number[] = []): string[] {
  const marked = new Set(evidence);
  const shown = chosen(history, [...marked]);
  const startMs = history[shown[0] ?? 0]?.atMs ?? 0;
  const lines: string[] = [];
  let previous = -1;
  for (const index of shown) {
    const event = history[index];
    if (event === undefined) continue;
    if (index > previous + 1) lines.push(`             … ${index - previous - 1} more`);
    const time = (event.atMs - startMs).toFixed(1).padStart(9);
    lines.push(`${marked.has(index) ? '>' : ' '}${time}  ${eventText(event)}`);
    previous = index;
  }
  if (previous < history.length - 1) lines.push(`             … ${history.length - 1 - previous} more`);
  return lines;
}

function chosen(history: History, evidence: readonly number[]): number[] {
  const around = evidence.length === 0 ? [history.length - 1] : evidence;
  const before = evidence.length === 0 ? LAST - 1 : BEFORE;
  const indices = new Set<number>();
  for (const centre of around) {
    for (let index = Math.max(0, centre - before); index <= Math.min(history.length - 1, centre + AFTER); index += 1) indices.add(index);
  }
  const sorted = [...indices].sort((a, b) => a - b);
  if (sorted.length <= MAX_LINES) return sorted;
  // Too much evidence to show its surroundings: what is left is the evidence itself, as far as it fits.
  return [...evidence].sort((a, b) => a - b).slice(0, MAX_LINES);
}

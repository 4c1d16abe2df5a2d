/** Barriers by which a judge knows which step of a case an event belongs to. */
import type { CaseFile, Step } from 'mcp-fixture-server/case';
import type { History } from '../history/schema.ts';
import { eventsOf } from '../history/views.ts';

/** The barrier at the beginning of a step; the first is 0. */
export function beginning(index: number): string {
  return `case: step ${index + 1} begins`;
}

/** The barrier that is not reached when a step could not be done, with the reason. */
export function undone(index: number, why: string): string {
  return `case: step ${index + 1} could not be done: ${why}`;
}

const UNDONE = /^case: step (\d+) could not be done: /;

/** Positions of the events of one step: from its beginning to that of the next. `undefined` when it did not begin. */
export function stepSpan(history: History, index: number): { readonly from: number; readonly to: number } | undefined {
  const begins = eventsOf(history, 'barrier');
  const from = begins.find(({ event }) => event.what === beginning(index))?.index;
  if (from === undefined) return undefined;
  const to = begins.find(({ event }) => event.what === beginning(index + 1))?.index ?? history.length;
  return { from, to };
}

/** Steps that waited in vain or could not be done: from there on a case shows less than it says. */
export function brokenSteps(file: CaseFile, history: History): { readonly index: number; readonly text: string; readonly evidence: number }[] {
  return file.steps.flatMap((step, index) => {
    const span = stepSpan(history, index);
    if (span === undefined) return [{ index, text: `${placeOf(step, index)} was not come to`, evidence: history.length - 1 }];
    const vain = eventsOf(history, 'barrier').find(
      ({ index: at, event }) => at > span.from && at < span.to && !event.reached && (UNDONE.test(event.what) || 'await' in step || 'call' in step),
    );
    if (vain === undefined) return [];
    const why = UNDONE.test(vain.event.what) ? vain.event.what.replace(UNDONE, '') : `nothing came within ${vain.event.boundMs} ms (${vain.event.what})`;
    return [{ index, text: `${placeOf(step, index)}: ${why}`, evidence: vain.index }];
  });
}

/** A step as a message names it. */
export function placeOf(step: Step, index: number): string {
  const [key = '', value] = Object.entries(step)[0] ?? [];
  const text = JSON.stringify(value) ?? '';
  return `step ${index + 1} (${key}${value === true ? '' : ` ${text.length > 120 ? `${text.slice(0, 119)}…` : text}`})`;
}

/** Waits for what a bridge says in its log. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../../bench/bench.ts';
import { LOOK_EVERY_MS } from '../../bench/bounds.ts';
import { nowMs } from '../../history/clock.ts';
import type { HistoryEvent } from '../../history/schema.ts';

/** A line that a person is to see. */
export const isWarning = (event: HistoryEvent): boolean => event.kind === 'log' && (event.level === 'warn' || event.level === 'error');

/** Waits, for at most `boundMs` milliseconds, until `isThere` finds what it looks for among the warnings and errors of the history. */
export async function warned(bench: Bench, what: string, isThere: () => boolean, boundMs: number): Promise<void> {
  const deadlineMs = nowMs() + boundMs;
  while (!isThere() && nowMs() < deadlineMs) await wait(LOOK_EVERY_MS);
  bench.record({ atMs: nowMs(), kind: 'barrier', what, reached: isThere(), boundMs, until: { warned: true } });
}

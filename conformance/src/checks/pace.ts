/**
 * How an exercise goes about its waits. In full, as a verdict needs it; or in haste, while a failure that is known to recur is
 * made smaller: then a try tells only which way to go on, and what it led to is tried in full before it is reported.
 */
import { nowMs } from '../history/clock.ts';

/** What is waited for. Waits of one kind take about as long in every run of a check. */
export type WaitKind = 'listing' | 'sign' | 'call' | 'return';

/** The pace of one exercise. */
export interface Pace {
  /** Milliseconds for a wait of this kind: those that are given, or fewer in haste. */
  bound(kind: WaitKind, fullMs: number): number;
  /** A wait of this kind was answered after so many milliseconds. */
  took(kind: WaitKind, ms: number): void;
  /** In haste: whether what was observed so far is a failure already, so that nothing more has to be done. */
  isDecided(): Promise<boolean>;
}

/** In full. */
export const UNHURRIED: Pace = {
  bound: (_kind, fullMs) => fullMs,
  took: () => undefined,
  isDecided: async () => false,
};

/** Waits at this pace, and lets the pace know how long it took. @returns whether it came */
export async function paced(pace: Pace, kind: WaitKind, fullMs: number, wait: (boundMs: number) => Promise<boolean>): Promise<boolean> {
  const since = nowMs();
  const reached = await wait(pace.bound(kind, fullMs));
  if (reached) pace.took(kind, nowMs() - since);
  return reached;
}

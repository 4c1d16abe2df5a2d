/** Keeps the reports about one connection bounded, whatever a server writes (B01, B08). */

/** What a report is about; each kind has an allowance of its own. */
export type ReportKind = 'stderr' | 'noise' | 'protocol';

/** Length of one allowance, in milliseconds. */
const WINDOW_MS = 1_000;

/** Receives reports. */
export type ReportSink = (level: 'debug' | 'info' | 'warn', message: string) => void;

interface Allowance {
  since: number;
  used: number;
  dropped: number;
}

/** Passes on at most a number of reports of each kind a second; how many were dropped is said with the next one. */
export class ReportLimiter {
  readonly #sink: ReportSink;
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #allowances = new Map<ReportKind, Allowance>();

  constructor(sink: ReportSink, perSecond: number, now: () => number) {
    this.#sink = sink;
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Whether the next report of this kind will pass; lets the caller save the work of making it. */
  open(kind: ReportKind): boolean {
    if (this.isOpen(kind)) return true;
    this.leaveOut(kind, 1);
    return false;
  }

  /** As {@link open}, for a report that may never come: it is not counted as left out. */
  isOpen(kind: ReportKind): boolean {
    return this.#current(kind).used < this.#perSecond;
  }

  /** So many reports of this kind were not made. */
  leaveOut(kind: ReportKind, count: number): void {
    this.#current(kind).dropped += count;
  }

  /** Reports, if {@link open} says so. */
  report(kind: ReportKind, level: 'debug' | 'info' | 'warn', message: string): void {
    if (!this.open(kind)) return;
    const allowance = this.#current(kind);
    allowance.used += 1;
    this.#sink(level, message);
  }

  #current(kind: ReportKind): Allowance {
    const now = this.#now();
    const last = this.#allowances.get(kind);
    if (last !== undefined && now - last.since < WINDOW_MS) return last;
    const fresh = { since: now, used: 0, dropped: 0 };
    this.#allowances.set(kind, fresh);
    if (last !== undefined && last.dropped > 0) {
      this.#sink('debug', `${last.dropped} more ${kind} reports were left out`);
    }
    return fresh;
  }
}

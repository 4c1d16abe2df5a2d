/** What a server writes to stdout that is no message: skipped, reported, and remembered as its last words (B06, B08). */
import { bytesToShow, showLine, type Redactor } from './redact.ts';
import type { ReportLimiter } from './report-limiter.ts';

/** Bounds and outlets. */
export interface StdoutNoiseOptions {
  /** Longest line that is shown; the rest of a longer one is dropped. */
  readonly maxLineBytes: number;
  readonly redact: Redactor;
  readonly reports: ReportLimiter;
}

/** See the module's comment. */
export class StdoutNoise {
  readonly #options: StdoutNoiseOptions;
  readonly #room: number;
  #count = 0;
  #last: { readonly line: Buffer; readonly wasCut: boolean } | undefined;

  constructor(options: StdoutNoiseOptions) {
    this.#options = options;
    this.#room = bytesToShow(options.maxLineBytes, options.redact);
  }

  /** How many lines there were. */
  get count(): number {
    return this.#count;
  }

  /** A line that is no message. Costs nothing to speak of once the reports of this second are spent. */
  add(line: Buffer): void {
    this.#count += 1;
    this.#last = { line: line.subarray(0, this.#room), wasCut: line.length > this.#room };
    const { reports } = this.#options;
    if (reports.open('noise')) reports.report('noise', 'warn', `skipped a line on stdout that is no JSON-RPC message: ${JSON.stringify(this.lastWords())}`);
  }

  /** A message came: what was written before it has nothing to do with an end. */
  forget(): void {
    this.#last = undefined;
  }

  /** The last line, secrets removed; empty when messages came after it, or there was none. */
  lastWords(): string {
    if (this.#last === undefined) return '';
    return showLine(this.#last.line, this.#last.wasCut, this.#options.maxLineBytes, this.#options.redact);
  }
}

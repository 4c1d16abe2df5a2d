/**
 * Progress for a person: on a terminal one live line, otherwise a line when an area is done. Failures are printed as
 * they come, whole.
 */
import pc from 'picocolors';
import type { Verdict } from '../checks/check.ts';
import type { RunSummary } from '../runner/result.ts';

/** Where progress goes. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const MARKS: Readonly<Record<Verdict, string>> = { pass: '✓', fail: '✗', inconclusive: '?', 'not-applicable': '-' };

/** So many runs without a verdict are printed whole; one reason may cost them all. */
const MAX_LOST = 5;

/** Shows how far a certification is. */
export class Progress {
  readonly #out: Output;
  readonly #total: number;
  readonly #counts: Record<Verdict, number> = { pass: 0, fail: 0, 'not-applicable': 0, inconclusive: 0 };
  #done = 0;
  #lost = 0;

  constructor(out: Output, total: number) {
    this.#out = out;
    this.#total = total;
  }

  /** A run began. */
  began(name: string): void {
    this.#live(name);
  }

  /** A run ended. */
  ended(run: RunSummary): void {
    this.#done += 1;
    this.#counts[run.verdict] += 1;
    if (run.failure !== undefined) this.print(`\n${colour(run.verdict, run.failure)}\n`);
    this.#live(run.check);
  }

  /** A run has no verdict: what was seen of it, of the first few. */
  lost(text: string): void {
    this.#done += 1;
    this.#lost += 1;
    if (this.#lost <= MAX_LOST) this.print(`\n${pc.yellow(text)}\n`);
  }

  /** All runs of an area ended. */
  areaEnded(area: string, runs: readonly RunSummary[], durationMs: number): void {
    const marks = runs.map((run) => colour(run.verdict, MARKS[run.verdict])).join('');
    this.print(`${area.padEnd(12)} ${marks} ${pc.dim(`${(durationMs / 1000).toFixed(1)} s`)}`);
  }

  /** A line of its own. */
  print(text: string): void {
    this.clear();
    this.#out.write(`${text}\n`);
  }

  /** Takes the live line away. */
  clear(): void {
    if (this.#out.isTTY === true) this.#out.write('\r\u001B[2K');
  }

  #live(name: string): void {
    if (this.#out.isTTY !== true) return;
    const { pass, fail, inconclusive } = this.#counts;
    const text = `${this.#done}/${this.#total}  ${pass} passed, ${fail} failed${inconclusive > 0 ? `, ${inconclusive} inconclusive` : ''}  ${name}`;
    this.#out.write(`\r\u001B[2K${text.slice(0, (this.#out.columns ?? 80) - 1)}`);
  }
}

function colour(verdict: Verdict, text: string): string {
  if (verdict === 'fail') return pc.red(text);
  if (verdict === 'inconclusive') return pc.yellow(text);
  return verdict === 'pass' ? pc.green(text) : pc.dim(text);
}

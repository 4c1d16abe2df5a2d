/** Runs the suite against one equivalent, which no check may fail. */
import { checks, plansOf, SubjectWorker } from 'mcp-bridge-conformance';
import { runBystanders, type Said } from '../bystanders.ts';
import type { Equivalent } from './equivalent.ts';

/** What came of one equivalent. */
export interface EquivalentOutcome {
  readonly equivalent: string;
  /** What did not pass: it judges how a bridge is built. */
  readonly offended: readonly Said[];
  readonly passed: number;
  /** How often the other way was taken; 0 shows nothing. */
  readonly uses: number;
  /** Milliseconds. */
  readonly durationMs: number;
}

/** How to run, as of a mutant. */
export interface RunEquivalentOptions {
  readonly seed: number;
  readonly full?: boolean;
  readonly byTurns?: boolean;
}

/** Runs one equivalent against scripted servers. */
export async function runEquivalent(equivalent: Equivalent, { seed, full = false, byTurns = false }: RunEquivalentOptions): Promise<EquivalentOutcome> {
  const startedAtMs = performance.now();
  let uses = 0;
  const worker = new SubjectWorker(equivalent.create(() => {
    uses += 1;
  }));
  try {
    const plans = plansOf({ ...(full ? {} : { areas: equivalent.areas }), targets: ['fixture'] }, checks);
    const said = await runBystanders(plans, worker, { seed, ...(byTurns ? { byTurnsOf: equivalent.id } : {}) });
    const offended = said.filter(({ verdict }) => verdict === 'fail' || verdict === 'no verdict');
    const passed = said.filter(({ verdict }) => verdict === 'pass').length;
    return { equivalent: equivalent.id, offended, passed, uses, durationMs: Math.round(performance.now() - startedAtMs) };
  } finally {
    worker.discard();
  }
}

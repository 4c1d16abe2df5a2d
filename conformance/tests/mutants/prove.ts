/** The proof of one mutant, as a test. */
import { expect, it } from 'vitest';
import type { Mutant } from '../../subjects/mutants/mutant.ts';
import { runMutant } from '../../subjects/mutants/run-mutant.ts';

/** Fixed, so that a mutant that survives does so again. */
export const PROOF_SEED = 20_261_130;

/** Milliseconds for one mutant: a defect that hangs costs its checks their whole bounds, and the replays too. */
export const PROOF_LIMIT_MS = 300_000;

/**
 * Several mutants run at once, and a busy machine can hide a defect that shows in time alone. A check that cannot find its
 * defect misses it every time.
 */
export const PROOF_RETRIES = 2;

/**
 * Each is found by a check of the invariant that it breaks, and by nothing else of its area but declared neighbours. Where
 * several checks ask for one invariant they take turns from mutant to mutant; `npm run mutants` runs them all.
 */
export function proveAll(mutants: readonly Mutant[]): void {
  it.concurrent.each(mutants.map((one) => [one.id, one] as const))('%s is killed, and only by those that it may fail', { timeout: PROOF_LIMIT_MS, retry: PROOF_RETRIES }, async (_id, mutant) => {
    const { killers, survivals, strangers } = await runMutant(mutant, { seed: PROOF_SEED, byTurns: true });
    expect(killers.length, `survived: ${survivals.map(({ check, message }) => `${check} ${message}`).join('\n')}`).toBeGreaterThan(0);
    expect(strangers).toEqual([]);
  });
}

/** Every second one, from the first or from the second on: so many take minutes, and files run side by side. */
export const halfOf = (mutants: readonly Mutant[], half: 'first' | 'second'): readonly Mutant[] => mutants.filter((_mutant, at) => at % 2 === (half === 'first' ? 0 : 1));

/**
 * A bench for the time of one piece of work.
 */
import { startController } from 'mcp-fixture-server/control';
import { LiveBench } from '../bench/live-bench.ts';
import type { SubjectWorker } from './subject-worker.ts';

/** Makes benches. */
export interface BenchMaker {
  make(seed: number): Promise<LiveBench>;
  /** Gives a bench back; whether its exercise came to its own end decides about the adapter. */
  giveBack(bench: LiveBench, broken: boolean): Promise<void>;
}

/** Benches over the worker's adapter. */
export function benchesOf(worker: SubjectWorker): BenchMaker {
  return {
    async make(seed) {
      const { adapter, subject } = await worker.live();
      return new LiveBench({ adapter, subject, seed, controller: await startController() });
    },
    async giveBack(bench, broken) {
      await bench.end();
      if (broken || bench.hung) worker.discard();
    },
  };
}

/** Makes a bench, works with it, gives it back whatever happens. */
export async function withBench<T extends { readonly broken: boolean }>(
  benches: BenchMaker, seed: number, work: (bench: LiveBench) => Promise<T>,
): Promise<T> {
  const bench = await benches.make(seed);
  let broken = true;
  try {
    const result = await work(bench);
    broken = result.broken;
    return result;
  } finally {
    await benches.giveBack(bench, broken);
  }
}

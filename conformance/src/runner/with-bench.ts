/**
 * A bench for the time of one piece of work.
 */
import { startController } from 'mcp-fixture-server/control';
import type { BridgeAdapter, ServerSpec, SubjectDescription } from '../adapter/bridge-adapter.ts';
import type { Silence } from '../bench/asking.ts';
import { NotApplicable } from '../bench/endings.ts';
import { LiveBench } from '../bench/live-bench.ts';
import { keepObserved } from './lost-run.ts';
import type { SubjectWorker } from './subject-worker.ts';

/** Makes benches. */
export interface BenchMaker {
  make(seed: number): Promise<LiveBench>;
  /**
   * Gives a bench back; whether its exercise came to its own end decides about the adapter.
   * @throws AdapterError when the subject answers nothing any more: what was observed of it is no verdict
   */
  giveBack(bench: LiveBench, broken: boolean): Promise<void>;
}

/** Benches over the worker's adapter. */
export function benchesOf(worker: SubjectWorker): BenchMaker {
  return {
    async make(seed) {
      const { adapter, subject } = await worker.live();
      return new LiveBench({ adapter: onlyHonoured(adapter, subject), subject, seed, controller: await startController(), onNote: worker.onNote });
    },
    async giveBack(bench, broken) {
      const doubtful = broken || bench.hung;
      const silent = doubtful ? await worker.silent() : undefined;
      if (silent !== undefined) await keepObserved(silent, bench);
      // Killed before the bench closes what is open, which would only wait for it.
      if (silent !== undefined) worker.discard(silent.code === 'driver-exited' ? 'ended' : (silenceText(bench.silent) ?? 'answered nothing any more'));
      await bench.end();
      if (silent !== undefined) throw silent;
      if (doubtful || bench.hung) worker.discard(silenceText(bench.silent));
      worker.exercised(bench.silent?.method, bench.callsAnswered);
    },
  };
}

/** An option that a subject does not honour makes whatever needs it not applicable, wherever a check sets it (DESIGN.md §6). */
function onlyHonoured(adapter: BridgeAdapter, { options: honoured }: SubjectDescription): BridgeAdapter {
  const demand = (servers: readonly ServerSpec[]): void => {
    const option = servers.flatMap(({ options = {} }) => Object.keys(options)).find((one) => !honoured.includes(one));
    if (option !== undefined) throw new NotApplicable(`the subject does not honour the option ${option}`);
  };
  return {
    ...adapter,
    async open(request) {
      demand(request.servers);
      return adapter.open(request);
    },
    async add(server) {
      demand([server]);
      return adapter.add(server);
    },
  };
}

/**
 * Makes a bench, works with it, gives it back whatever happens.
 * @throws what `work` threw, or else what giving back did
 */
export async function withBench<T extends { readonly broken: boolean }>(
  benches: BenchMaker, seed: number, work: (bench: LiveBench) => Promise<T>,
): Promise<T> {
  const bench = await benches.make(seed);
  let result: T;
  try {
    result = await work(bench);
  } catch (error) {
    // What went wrong first is what is told.
    await benches.giveBack(bench, !(error instanceof NotApplicable)).catch(() => undefined);
    throw error;
  }
  await benches.giveBack(bench, result.broken);
  return result;
}

function silenceText(silent: Silence | undefined): string | undefined {
  return silent === undefined ? undefined : `left something unanswered (${silent.what}: not within ${silent.boundMs} ms)`;
}

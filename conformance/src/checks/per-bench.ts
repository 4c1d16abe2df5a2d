import type { Bench } from '../bench/bench.ts';

/** What `prepare` of a property leaves for its runs on the same bench. */
export interface PerBench<T> {
  set(bench: Bench, value: T): void;
  /** @throws Error when this bench was never prepared: a defect of the check. */
  get(bench: Bench): T;
}

/** A value for each bench, gone with it. */
export function perBench<T extends object>(): PerBench<T> {
  const values = new WeakMap<Bench, T>();
  return {
    set: (bench, value) => void values.set(bench, value),
    get: (bench) => {
      const value = values.get(bench);
      if (value === undefined) throw new Error('this bench was not prepared');
      return value;
    },
  };
}

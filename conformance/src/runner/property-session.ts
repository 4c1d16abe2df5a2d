/**
 * The bench that the inputs of one property share, prepared once; made anew after an input that left it in an unknown state.
 */
import type { PropertyCheck } from '../checks/check.ts';
import { NotApplicable } from '../bench/endings.ts';
import type { LiveBench } from '../bench/live-bench.ts';
import { latestRun } from '../history/recorder.ts';
import { attempt, type Attempt } from './attempt.ts';
import { Haste } from './haste.ts';
import type { BenchMaker } from './with-bench.ts';

/** One property at work. `end` must be called. */
export class PropertySession {
  readonly #check: PropertyCheck;
  readonly #seed: number;
  readonly #benches: BenchMaker;
  readonly #haste = new Haste();
  #bench: LiveBench | undefined;

  constructor(check: PropertyCheck, seed: number, benches: BenchMaker) {
    this.#check = check;
    this.#seed = seed;
    this.#benches = benches;
  }

  /** From now on the subject is known to fail: waits are cut to what they took so far. */
  hurry(): void {
    this.#haste.hurries = true;
  }

  /** Exercises and judges one input. @throws NotApplicable and AdapterError */
  async attempt(input: unknown): Promise<Attempt> {
    let tried: Attempt;
    try {
      tried = await this.#attempt(input);
    } catch (error) {
      // What went wrong first is what is told.
      await this.end(!(error instanceof NotApplicable)).catch(() => undefined);
      throw error;
    }
    if (tried.broken) await this.end(true);
    return tried;
  }

  /** Gives the bench back. @throws AdapterError when the subject answers nothing any more */
  async end(broken = false): Promise<void> {
    const bench = this.#bench;
    this.#bench = undefined;
    if (bench !== undefined) await this.#benches.giveBack(bench, broken);
  }

  async #attempt(input: unknown): Promise<Attempt> {
    const check = this.#check;
    const fresh = this.#bench === undefined;
    const bench = (this.#bench ??= await this.#benches.make(this.#seed));
    const isFailed = async (): Promise<boolean> => {
      const fails = (): boolean => check.judge(latestRun(bench.history)).verdict === 'fail';
      if (!fails()) return false;
      // What a server did may be told late, and excuse what seems to be broken.
      await bench.flush();
      return fails();
    };
    const exercise = async (): Promise<void> => {
      // Within the limit of the first input, so that a preparation that hangs ends as an exercise does.
      if (fresh) await check.prepare?.(bench);
      bench.beginRun(input);
      await check.exercise(bench, input, this.#haste.pace(isFailed));
    };
    return attempt(check, bench, exercise);
  }
}

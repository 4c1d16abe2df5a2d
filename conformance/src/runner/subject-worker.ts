/**
 * One adapter of a worker: made when it is first needed, used for check after check, replaced when it hung or died.
 */
import type { SubjectDescription } from '../adapter/messages.ts';
import { AdapterError, isAdapterError, type AdapterFactory, type BridgeAdapter } from '../adapter/bridge-adapter.ts';
import { inProcess } from '../adapter/in-process.ts';
import { demandSame } from '../adapter/owed-answers.ts';
import { isOutOfProcess } from '../adapter/out-of-process.ts';
import { enterAmbient } from '../bench/ambient.ts';
import type { SilentMethod } from '../bench/asking.ts';
import { within } from '../bench/endings.ts';
import type { HistoryEvent } from '../history/schema.ts';
import { proveAlive } from './prove-alive.ts';
import { Silences } from './silences.ts';
import { workerLimits, type WorkerLimits } from './worker-limits.ts';

/** A live way to the subject. */
export interface LiveSubject {
  readonly adapter: BridgeAdapter;
  readonly subject: SubjectDescription;
}

/** Holds the adapter of this worker. `end` is due where the subject may have a process of its own. */
export class SubjectWorker {
  readonly #factory: AdapterFactory;
  readonly #limits: WorkerLimits;
  /** Told each event that a bench over this subject notes, at once. */
  onNote: ((event: HistoryEvent) => void) | undefined;
  readonly #ending = new Set<Promise<void>>();
  #live: Promise<LiveSubject> | undefined;
  /** What the last adapter did that it was given up for: the next one has to show that it comes through a round. */
  #suspect: string | undefined;
  readonly #silences = new Silences();
  #failedStarts = 0;
  #described: SubjectDescription | undefined;
  #givenUp: AdapterError | undefined;

  /**
   * @param limits replace some of those that hold in this process
   * @param described who the subject said to be when it was met in another process
   */
  constructor(factory: AdapterFactory, limits: Partial<WorkerLimits> = {}, described?: SubjectDescription) {
    this.#described = described;
    this.#factory = factory;
    this.#limits = { ...workerLimits(), ...limits };
  }

  /**
   * The live subject; made now if there is none. After one that hung or died the new one is first opened without servers,
   * so that a bridge that hangs with one server is told from a subject that never answers.
   * @throws AdapterError `driver-hung` when it does not come in time, `misuse` when it is no adapter, `invalid-reply` when it
   *   does not say who it is, `given-up` after {@link WorkerLimits.failedStarts} starts in a row that failed
   */
  live(): Promise<LiveSubject> {
    if (this.#live === undefined) {
      this.#live = this.#start();
      this.#live.catch(() => (this.#live = undefined));
    }
    return this.#live;
  }

  /**
   * Asks the live subject who it is, which it can always answer: whether a bound that was reached was its bridge's fault.
   * @returns why it does not answer; `undefined` when it does
   */
  async silent(): Promise<AdapterError | undefined> {
    const { answerMs } = this.#limits;
    try {
      const live = await this.#live;
      if (live === undefined) return undefined;
      const answered = await within(live.adapter.describe(), answerMs);
      if (answered.reached) return undefined;
    } catch (error) {
      return isAdapterError(error) ? error : new AdapterError('driver-error', `the adapter failed at "describe": ${textOf(error)}`, { cause: error });
    }
    return new AdapterError('driver-hung', `the adapter hung: it did not even answer "describe" within ${answerMs} ms`);
  }

  /**
   * Gives the adapter up, without waiting for it: it hung, or an exercise that is over may still use it.
   * @param why what it did, in words that follow "one that", where the next one has to prove itself first
   */
  discard(why?: string): void {
    const gone = this.#live;
    this.#live = undefined;
    this.#suspect ??= why;
    if (gone === undefined) return;
    const ending = gone.then(({ adapter }) => leave(adapter, 'now')).catch(() => undefined);
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }

  /**
   * An exercise is over: a subject that answers one of its methods never is not asked for hours.
   * @param unanswered the method that was not answered in time, if one was not and it is none by which servers come and go
   * @param calls how many calls were answered
   */
  exercised(unanswered: SilentMethod | undefined, calls: number): void {
    const given = this.#silences.after(unanswered, calls);
    if (given !== undefined) this.#givenUp ??= new AdapterError('given-up', given);
  }

  /** Ends the adapter in order, and waits until every process of an adapter that was given up is gone. Bounded. */
  async end(): Promise<void> {
    const last = this.#live;
    this.#live = undefined;
    const live = await last?.catch(() => undefined);
    if (live !== undefined) await within(leave(live.adapter, 'in-order').catch(() => undefined), this.#limits.endMs);
    await within(Promise.all(this.#ending), this.#limits.endMs);
  }

  async #start(): Promise<LiveSubject> {
    const { startMs, failedStarts } = this.#limits;
    if (this.#givenUp !== undefined) throw this.#givenUp;
    try {
      const live = await this.#meet(startMs);
      if (this.#suspect !== undefined) await proveAlive(live.adapter, startMs, this.#suspect);
      this.#suspect = undefined;
      this.#failedStarts = 0;
      return live;
    } catch (error) {
      this.#failedStarts += 1;
      if (this.#failedStarts < failedStarts) throw error;
      throw (this.#givenUp = new AdapterError('given-up', `${failedStarts} starts in a row failed, so the rest is not tried; the last: ${textOf(error)}`, { cause: error }));
    }
  }

  async #meet(startMs: number): Promise<LiveSubject> {
    enterAmbient();
    let made: BridgeAdapter | undefined;
    const started = within(
      (async () => {
        made = await this.#factory();
        const adapter = typeof made === 'object' && made !== null && isOutOfProcess(made) ? made : inProcess(made);
        return { adapter, subject: await adapter.describe() };
      })(),
      startMs,
    );
    try {
      const met = await started;
      if (met.reached) {
        demandSame('the subject', this.#described ??= met.value.subject, met.value.subject);
        return met.value;
      }
    } catch (error) {
      await made?.end?.('now');
      throw error;
    }
    await made?.end?.('now');
    throw new AdapterError('driver-hung', `the adapter did not answer "describe" within ${startMs} ms; a driver reads its input line by line, and flushes each line that it writes`);
  }
}

/** An adapter in this process is only closed; one with a process of its own takes that along. */
function leave(adapter: BridgeAdapter, how: 'in-order' | 'now'): Promise<void> {
  return adapter.end === undefined ? adapter.close() : adapter.end(how);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

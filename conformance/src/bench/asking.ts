/**
 * Asking the subject: each time for a bounded time, with what came of it on record.
 */
import type { HostSpec, ServerReply, ServerSpec } from '../adapter/bridge-adapter.ts';
import type { Recorder } from '../history/recorder.ts';
import type { EventOf } from '../history/schema.ts';
import { ACTIVATION_BOUND_MS } from './bounds.ts';
import { BenchTimeout, within } from './endings.ts';

/** One of the requests by which servers come and go. */
export interface AskedStep<T> {
  readonly step: EventOf<'request'>['step'];
  readonly servers: ServerSpec[];
  readonly host?: HostSpec | undefined;
  /** Milliseconds until the bench stops waiting. Default {@link ACTIVATION_BOUND_MS}. */
  readonly boundMs?: number;
  readonly run: () => Promise<T>;
  /** What became of each server, read from the reply. */
  readonly settled: (reply: T) => ServerReply[];
}

/** A request that was not answered in time. */
export interface Silence {
  /** What was waited for, in words. */
  readonly what: string;
  readonly boundMs: number;
  /** The method of the adapter, where that is none by which servers come and go. */
  readonly method?: SilentMethod;
}

/** `call`, and those that only tell or set something about the adapter's own host: no server is a reason for these to be silent. */
export type SilentMethod = 'call' | 'tools' | 'state' | 'cancel' | 'gate' | 'host/set';

/** See the module's comment. */
export class Asking {
  readonly #recorder: Recorder;
  #over = false;
  /** What of the adapter did not answer in time: whoever made it should not be used again. */
  silent: Silence | undefined;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Whether the exercise is over. */
  get over(): boolean {
    return this.#over;
  }

  /** From now on nothing is asked any more. */
  end(): void {
    this.#over = true;
  }

  /** A rejection that an exercise does not wait for is on record already, and must not end the process. */
  quiet<T>(run: () => Promise<T> | T): Promise<T> {
    const promise = (async () => {
      if (this.#over) throw new BenchTimeout('the exercise is over');
      return run();
    })();
    promise.catch(() => undefined);
    return promise;
  }

  /** Waits for an answer, at most `boundMs` milliseconds; then a barrier and `BenchTimeout`. */
  async bounded<T>(what: string, boundMs: number, run: () => Promise<T>, method?: SilentMethod): Promise<T> {
    const answer = await within(run(), boundMs);
    if (answer.reached) return answer.value;
    this.silent ??= { what, boundMs, ...(method === undefined ? {} : { method }) };
    this.#recorder.note({ kind: 'barrier', what, reached: false, boundMs });
    throw new BenchTimeout(`waited ${boundMs} ms in vain: ${what}`);
  }

  /** Asks for one step, and records that it was asked for and how it settled. */
  async step<T>({ step, servers, host, boundMs = ACTIVATION_BOUND_MS, run, settled }: AskedStep<T>): Promise<T> {
    this.#recorder.note({ kind: 'request', step, servers, ...(host === undefined ? {} : { host }) });
    try {
      const reply = await this.bounded(`${step} settles`, boundMs, run);
      this.#recorder.note({ kind: 'settled', step, servers: settled(reply) });
      return reply;
    } catch (error) {
      if (!(error instanceof BenchTimeout)) {
        this.#recorder.note({ kind: 'settled', step, servers: [], error: error instanceof Error ? error.message : String(error) });
      }
      throw error;
    }
  }
}

/**
 * Waits for a service of the host, but not for ever, and not after the caller gave up (B05, S38).
 * @module
 */
import { watchAbort } from './transport/abort-watch.ts';
import { deferred } from './transport/deferred.ts';

/** How the wait ended. */
export type Waited<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' };

/** Bounds of one wait. */
export interface WaitLimits {
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** The caller's; no listener stays on it. */
  readonly signal: AbortSignal;
}

/**
 * Starts `work` and waits for its end, the time limit or the caller's abort, whichever comes first. Work that is given
 * up goes on or stops as it likes; what becomes of it is not looked at.
 * @param work given a signal that aborts with the caller's and when the time is up
 */
export async function waitAtMost<T>(work: (signal: AbortSignal) => Promise<T>, { timeoutMs, signal }: WaitLimits): Promise<Waited<T>> {
  if (signal.aborted) return { kind: 'aborted' };
  const own = new AbortController();
  const given = deferred<Waited<T>>();
  const stopWatching = watchAbort(signal, () => {
    given.resolve({ kind: 'aborted' });
    own.abort(signal.reason);
  });
  const timer = setTimeout(() => {
    given.resolve({ kind: 'timed-out' });
    own.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError'));
  }, timeoutMs);
  try {
    return await Promise.race([settle(work, own.signal), given.promise]);
  } finally {
    clearTimeout(timer);
    stopWatching();
  }
}

/** Never rejects, also when the host's method throws at once. */
async function settle<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<Waited<T>> {
  try {
    return { kind: 'value', value: await work(signal) };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/**
 * How an exercise ends before its end.
 */

/** The subject does not declare what the exercise needs; the check is not applicable. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** A bound was reached while the bench waited for the subject; the barrier is in the history. */
export class BenchTimeout extends Error {
  override readonly name = 'BenchTimeout';
}

/** The outcome of a bounded wait. */
export type Bounded<T> = { readonly reached: true; readonly value: T } | { readonly reached: false };

/** Waits for a promise, at most `boundMs` milliseconds. A rejection is passed on; a late one is swallowed. */
export async function within<T>(promise: Promise<T>, boundMs: number): Promise<Bounded<T>> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise<Bounded<T>>((resolve) => {
    timer = setTimeout(() => resolve({ reached: false }), boundMs);
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise.then((value): Bounded<T> => ({ reached: true, value })), bound]);
  } finally {
    clearTimeout(timer);
  }
}

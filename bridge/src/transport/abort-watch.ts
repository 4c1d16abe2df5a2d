/**
 * One listener a signal, however many requests wait on it: a caller may give one signal to many calls at a time, and Node
 * warns of a leak at the eleventh listener. None stays behind (B24).
 */

interface Watch {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls `callback` when the signal aborts; callbacks must not throw.
 * @returns ends the watch; idempotent. The last one to end takes the listener away.
 */
export function watchAbort(signal: AbortSignal, callback: () => void): () => void {
  const watch = watches.get(signal) ?? begin(signal);
  watch.callbacks.add(callback);
  return () => {
    if (!watch.callbacks.delete(callback) || watch.callbacks.size > 0) return;
    signal.removeEventListener('abort', watch.listener);
    watches.delete(signal);
  };
}

function begin(signal: AbortSignal): Watch {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    for (const callback of callbacks) callback();
  };
  const watch = { callbacks, listener };
  watches.set(signal, watch);
  signal.addEventListener('abort', listener);
  return watch;
}

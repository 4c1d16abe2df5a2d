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

/** Whether a signal aborted until now. */
export function hasAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** How long a watch may wait before its listener is put on, in milliseconds; most calls over stdio take less. */
const UNWATCHED_MS = 1;

/** A watch that has no listener yet. */
interface LateWatch {
  readonly signal: AbortSignal;
  readonly callback: () => void;
  unwatch: (() => void) | undefined;
}

const late = new Set<LateWatch>();
let armed = false;

/**
 * As {@link watchAbort}, but begins a millisecond later: putting a listener on a fresh signal costs a tenth of a small call.
 * What is over by then never touches its signal, so whoever ends the watch has to look whether it aborted meanwhile.
 * @returns ends the watch; idempotent
 */
export function watchAbortLate(signal: AbortSignal, callback: () => void): () => void {
  const watch: LateWatch = { signal, callback, unwatch: undefined };
  late.add(watch);
  // One timer for all; it is not taken back when nothing waits any more, which would cost every call.
  if (!armed) setTimeout(beginLate, UNWATCHED_MS);
  armed = true;
  return () => {
    if (!late.delete(watch)) watch.unwatch?.();
  };
}

function beginLate(): void {
  armed = false;
  for (const watch of late) {
    if (watch.signal.aborted) watch.callback();
    else watch.unwatch = watchAbort(watch.signal, watch.callback);
  }
  late.clear();
}

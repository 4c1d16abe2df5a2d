/**
 * Runs synchronous work that a peer can drive up, with an end.
 * @module
 */
import { createContext, Script } from 'node:vm';

/** Calls whatever `work` is at the moment. The context only lends its watchdog: the work runs in the caller's realm. */
const SCRIPT = new Script('work()');

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context is the object that was given
const box = createContext({ work: undefined }) as { work: (() => unknown) | undefined };

/**
 * Runs `work` and returns what it returned; costs about 0.1 ms more than a plain call.
 * Node's watchdog also ends a regular expression that backtracks for ever, which no timer can.
 * @param limitMs milliseconds
 * @throws {Error} when the time is up; whatever `work` throws otherwise
 */
export function runWithin<T>(limitMs: number, work: () => T): T {
  const outer = box.work;
  let result: { readonly value: T } | undefined;
  box.work = () => {
    result = { value: work() };
  };
  try {
    SCRIPT.runInContext(box, { timeout: limitMs });
  } finally {
    box.work = outer;
  }
  if (result === undefined) throw new Error('the work ended without a result');
  return result.value;
}

/** Finds the timers of a module among all of a program, by how long they are. */
import { createHook } from 'node:async_hooks';

/** Watches the timers that are begun from now on. @returns for each of so many milliseconds that still runs: whether it keeps the program alive */
export function watchTimers(ms: number): () => readonly boolean[] {
  const begun: object[] = [];
  createHook({ init: (_id, type, _trigger, resource) => void (type === 'Timeout' && begun.push(resource)) }).enable();
  return () => begun.filter((timer): timer is NodeJS.Timeout => Reflect.get(timer, '_idleTimeout') === ms).map((timer) => timer.hasRef());
}

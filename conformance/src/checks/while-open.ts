import { eventsOf } from '../history/views.ts';
import type { History } from '../history/schema.ts';
import type { Check } from './check.ts';

/**
 * The history up to the closing of the subject that ends it. What the registry tells while everything is taken down is
 * no concern of names, discovery and generations. Positions stay the same.
 */
export function whileOpen(history: History): History {
  const last = eventsOf(history, 'request').at(-1);
  return last?.event.step === 'close' ? history.slice(0, last.index) : history;
}

/** The same check, its judge kept from the end. */
export function judgedWhileOpen(check: Check): Check {
  return { ...check, judge: (history) => check.judge(whileOpen(history)) };
}

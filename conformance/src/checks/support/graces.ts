/** How long a subject waits for processes that stay. */
import type { Bench } from '../../bench/bench.ts';

/** For the end of a process after its input ended, and for its end after SIGTERM. */
const GRACES = ['closeGraceMs', 'terminateGraceMs'];

/** Options that make both waits so long, in milliseconds, where the subject has them. */
export function graces(bench: Bench, ms: number): Readonly<Record<string, number>> {
  return Object.fromEntries(GRACES.filter((name) => bench.subject.options.includes(name)).map((name) => [name, ms]));
}

/**
 * From the failures that shrinking went through to the one that is reported: the smallest that fails again when it is replayed
 * from seed and path alone, which is what a person does with them.
 */
import { nowMs } from '../history/clock.ts';
import type { Attempt } from './attempt.ts';

/** What was tried, and what its replay came to. */
export interface Replayed<Again> {
  readonly failed: Attempt;
  readonly again: Again;
}

/**
 * Replays failures from the smallest on until one recurs. The first one comes last, and its replay is what counts if none does.
 * @param failures from the first one on, each found on the way from the one before; at least one
 * @param path of the smallest: each of its parts leads from a failure to the next
 * @param limitMs milliseconds after which what lies between is left out
 */
export async function smallestThatRecurs<Again>(
  failures: readonly Attempt[],
  path: string,
  limitMs: number,
  replay: (path: string) => Promise<Again>,
  recurs: (again: Again) => boolean,
): Promise<Replayed<Again>> {
  const [first] = failures;
  if (first === undefined) throw new Error('there is no failure to replay');
  const parts = path.split(':');
  const untilMs = nowMs() + limitMs;
  for (let depth = parts.length; depth > 1 && nowMs() <= untilMs; depth -= 1) {
    const again = await replay(parts.slice(0, depth).join(':'));
    if (recurs(again)) return { failed: failures[depth - 1] ?? first, again };
  }
  return { failed: first, again: await replay(parts.slice(0, 1).join(':')) };
}

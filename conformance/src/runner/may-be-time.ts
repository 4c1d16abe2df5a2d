/**
 * Whether a doubt may be due to a busy machine. Pure.
 */
import type { History } from '../history/schema.ts';
import type { Outcome } from './second-try.ts';
import { wayHint } from './way-hint.ts';

/**
 * Where something was waited for in vain, an exercise was cut off, a second try said otherwise, or not every input was tried. Not
 * where the adapter is the likely reason, which another run does not change.
 */
export function mayBeTime({ history, again, cutShort }: Pick<Outcome, 'history' | 'again' | 'cutShort'>): boolean {
  if (wayHint(history) !== '') return false;
  return again !== undefined || cutShort === true || waitedInVain(history);
}

function waitedInVain(history: History): boolean {
  return history.some((event) => event.kind === 'trouble' || (event.kind === 'barrier' && !event.reached));
}

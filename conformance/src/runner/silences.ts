/**
 * Methods of a subject that are not answered, exercise after exercise.
 */
import type { SilentMethod } from '../bench/asking.ts';

/** So many exercises in a row in which a method about the adapter's own host was not answered; a run has two. */
const MAX_OWN = 6;
/** So many exercises in a row in which a call was not answered, by a subject that never answered any: each may take its whole bound. */
const MAX_CALLS = 4;

/** See the module's comment. */
export class Silences {
  #inARow = 0;
  #answeredCall = false;

  /**
   * After an exercise.
   * @param unanswered the method that was not answered
   * @param calls how many calls were answered
   * @returns why no more is to be tried; `undefined` while it is
   */
  after(unanswered: SilentMethod | undefined, calls: number): string | undefined {
    this.#answeredCall ||= calls > 0;
    // Who answers other calls has a bridge that does not settle this one, which is for the judges.
    const counts = unanswered !== undefined && (unanswered !== 'call' || !this.#answeredCall);
    if (!counts) {
      this.#inARow = 0;
      return undefined;
    }
    this.#inARow += 1;
    if (this.#inARow < (unanswered === 'call' ? MAX_CALLS : MAX_OWN)) return undefined;
    const what = unanswered === 'call'
      ? 'no call was ever answered; each comes to an outcome, also that of a tool that is not there'
      : "it is about the adapter's own host; answer it at once, whatever a server does";
    return `"${unanswered}" was not answered in ${this.#inARow} exercises in a row, so the rest is not tried: ${what}`;
  }
}

/** Sessions that are given back at the end (CONNECTION-033). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, uncalled } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { httpRequests, sessionsOf } from './requests.ts';
import { openWeb } from './steps.ts';

const SERVER = 'lender';
const REFUSES: Rule = { id: 'keeps', when: { http: 'DELETE' }, do: [{ respond: { status: 405 } }] };

function exercise(rules: readonly Rule[]): (bench: Bench) => Promise<void> {
  return async (bench) => {
    await openWeb(bench, SERVER, script(SERVER, [], rules));
    await ask(bench, SERVER, STEADY);
    await bench.close();
  };
}

function judge(history: History): Judgement {
  const healthy = callFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const closing = eventsOf(history, 'request').find(({ event }) => event.step === 'close');
  const doubted = doubt([echoed(healthy), 'a healthy call'], [closing !== undefined, 'a request to close']);
  if (doubted !== undefined || closing === undefined) return doubted ?? inconclusive('nothing was closed');
  const closed = settledSteps(history, 'close')[0];
  if (closed === undefined) {
    const silent = barrierOf(history, 'close settles');
    return silent?.event.reached === false ? fail('closing never settled', [closing.index, silent.index]) : inconclusive('closing did not settle');
  }
  const deletions = httpRequests(history, SERVER).filter(({ method }) => method === 'DELETE');
  // What was ended before is nobody's any more; what the deletion ends counts as alive until then.
  const due = sessionsOf(history, SERVER).filter(({ end }) => end === undefined || deletions.some(({ session, index }) => session === end.event.session && index < end.index));
  if (due.length === 0) return inconclusive('not in the history: a session that was alive');
  return first(
    ...due.map(({ id, start }) => {
      const own = deletions.filter(({ session }) => session === id);
      if (own.length === 0) return fail('a session was not given back', [start.index, closed.index]);
      return own.length === 1 ? undefined : fail(`a session was given back ${own.length} times`, own.map(({ index }) => index));
    }),
    closed.event.error === undefined ? undefined : fail(`closing failed: ${closed.event.error}`, [closed.index]),
  ) ?? pass(`${due.length === 1 ? 'the session was' : `${due.length} sessions were`} given back, and closing settled`);
}

/** Checks of sessions that are given back. */
export const givingBackChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-033/taken', invariant: 'CONNECTION-033', exercise: exercise([]), judge }),
  scripted({ id: 'CONNECTION-033/not-taken', invariant: 'CONNECTION-033', exercise: exercise([REFUSES]), judge }),
];

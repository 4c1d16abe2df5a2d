/** Sessions that are given back at the end (CONNECTION-033). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, faultsFired, settledSteps } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, uncalled } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { httpRequests, sessionsOf } from './requests.ts';
import { openWeb, quickly } from './steps.ts';

const SERVER = 'lender';
const REFUSES: Rule = { id: 'keeps', when: { http: 'DELETE' }, do: [{ respond: { status: 405 } }] };

function exercise(rules: readonly Rule[]): (bench: Bench) => Promise<void> {
  return async (bench) => {
    await openWeb(bench, SERVER, script(SERVER, [], rules));
    await ask(bench, SERVER, STEADY);
    await bench.close();
  };
}

const NO_LIST = 'no-list-yet';
/** So many sessions are good for nothing, since their list cannot be read. */
const USELESS = 2;
const UNLISTED: Rule = { id: NO_LIST, when: { method: 'tools/list', incarnation: { to: USELESS } }, do: [{ error: { code: -32603, message: 'no list yet' } }] };

/** Who retries comes to a session that is good; who does not has had one that was not. */
async function exerciseUnlisted(bench: Bench): Promise<void> {
  await openWeb(bench, SERVER, script(SERVER, [], [UNLISTED]), quickly(bench).options);
  if (bench.subject.features.includes('reconnect')) await ask(bench, SERVER, STEADY);
  await bench.close();
}

function judge(history: History): Judgement {
  const healthy = callFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  return doubt([echoed(healthy), 'a healthy call']) ?? judgeClosing(history);
}

function judgeUnlisted(history: History): Judgement {
  return doubt([faultsFired(history, SERVER, NO_LIST).length > 0, 'a session whose list could not be read']) ?? judgeClosing(history);
}

/** What holds at the end of every closing. */
function judgeClosing(history: History): Judgement {
  const closing = eventsOf(history, 'request').find(({ event }) => event.step === 'close');
  if (closing === undefined) return inconclusive('not in the history: a request to close');
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
  scripted({ id: 'CONNECTION-033/never-listed', invariant: 'CONNECTION-033', exercise: exerciseUnlisted, judge: judgeUnlisted }),
];

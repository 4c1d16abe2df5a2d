/** What an expired session costs: one handshake, and no call is sent twice (CONNECTION-032). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callsFor, doubt, echoed, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { httpRequests, sessionsOf, type WebSession } from './requests.ts';
import { expire } from './recovery.ts';
import { BACK, backAgain, openWeb, quickly } from './steps.ts';

const SERVER = 'forgetful';
/** Whether anything but 404 may mean the end of a session is contested (R46): only who has the option is held to it. */
const ON_400 = 'sessionLostOn400';
const TWICE = 2;

function exercise(unknownSession: '404-json' | '400' | '200'): (bench: Bench) => Promise<void> {
  return async (bench) => {
    const isContested = unknownSession !== '404-json';
    const options = { ...quickly(bench).options, ...(isContested && bench.subject.options.includes(ON_400) ? { [ON_400]: true } : {}) };
    const server = await openWeb(bench, SERVER, script(SERVER, [], [], { http: { unknownSession, listen: false } }), options);
    await ask(bench, SERVER, STEADY);
    await expire(bench, server);
    await ask(bench, SERVER, STEADY);
    if (!isContested || ON_400 in options) await backAgain(bench, SERVER);
    else for (let n = 0; n < TWICE; n += 1) await ask(bench, SERVER, STEADY);
    await bench.flush();
  };
}

/**
 * The call that met the end of its session, and what came of everything after it. `isTold`: its refusal has no other meaning;
 * an error that may be the tool's own may have come after it had run (CALL-018).
 */
function judge(history: History, isTold: boolean): Judgement {
  const [healthy, ...later] = callsFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const sessions = sessionsOf(history, SERVER);
  const requests = httpRequests(history, SERVER);
  const back = barrierOf(history, BACK);
  const until = back?.index ?? later.at(-1)?.outcome?.index ?? history.length;
  // A session in which the subject does something, such as a single listing, and which it gives back then, is none that replaces an expired one.
  const isGivenBack = ({ id, end }: WebSession): boolean => {
    const own = requests.filter(({ index, session }) => session === id && index < Math.min(end?.index ?? until, until));
    return own.some(({ method }) => method === 'DELETE') && own.some(({ rpc }) => rpc === 'tools/list' || rpc === 'tools/call');
  };
  if (sessions.length > 0 && later.length > 0 && sessions.every((one) => isGivenBack(one))) return { verdict: 'not-applicable', message: 'the subject keeps no session that could end' };
  const old = sessions.find((one) => one.end !== undefined && !isGivenBack(one));
  const doubted = doubt([echoed(healthy), 'a healthy call before'], [old?.end !== undefined, 'the end of the session'], [later.length > 0, 'a call after it']);
  if (doubted !== undefined || old?.end === undefined) return doubted ?? inconclusive('no session ended');
  const end = old.end.index;
  const again = later.find((call) => call.requests.length > 1);
  const refused = later.filter((call) => requests.some(({ index, session }) => session === old.id && call.requests.some((one) => one.index === index)));
  const untrue = refused.find((call) => replyOf(call)?.outcome === 'ok' || (isTold && replyOf(call)?.executed === 'yes'));
  const handshakes = requests.filter(({ index, rpc }) => index > end && rpc === 'initialize').slice(sessions.filter((one) => one.start.index > end && isGivenBack(one)).length);
  const unsettled = later.find((call) => call.outcome === undefined);
  return first(
    unsettled === undefined ? undefined : fail('a call that met the end of its session never settled', placesOf(unsettled)),
    again === undefined ? undefined : fail(`a call was sent ${again.requests.length} times`, placesOf(again)),
    doubt([requests.some(({ index, session }) => index > end && session === old.id), 'a request that the server refused for its session']),
    untrue === undefined ? undefined : fail(`a call that the server refused ended as ${replyOf(untrue)?.outcome ?? ''}, executed: ${replyOf(untrue)?.executed ?? ''}`, placesOf(untrue)),
    handshakes.length > 1 ? fail(`one expired session cost ${handshakes.length} handshakes`, handshakes.map(({ index }) => index)) : undefined,
    back?.event.reached === false ? fail('the session was not replaced', [back.index]) : undefined,
  ) ?? pass(`one expired session, ${handshakes.length} handshake, ${refused.length} calls refused, none sent twice`);
}

/** Whether the exercise went its way to the end: with the option to a recovery, without it to two more calls. */
const judgeContested = (history: History): Judgement => {
  const honoured = eventsOf(history, 'request').some(({ event }) => event.servers.some(({ options = {} }) => options[ON_400] === true));
  return honoured && barrierOf(history, BACK) === undefined ? inconclusive('nobody waited for a new session') : judge(history, honoured);
};

const judge404 = (history: History): Judgement => (barrierOf(history, BACK) === undefined ? inconclusive('nobody waited for a new session') : judge(history, true));

/** Checks of expired sessions. */
export const expiryChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-032/told-by-404', invariant: 'CONNECTION-032', limitMs: 60_000, exercise: exercise('404-json'), judge: judge404 }),
  scripted({ id: 'CONNECTION-032/told-by-400', invariant: 'CONNECTION-032', limitMs: 60_000, exercise: exercise('400'), judge: judgeContested }),
  scripted({ id: 'CONNECTION-032/told-by-200', invariant: 'CONNECTION-032', limitMs: 60_000, exercise: exercise('200'), judge: judgeContested }),
];

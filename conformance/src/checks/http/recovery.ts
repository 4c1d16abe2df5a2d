/** Sessions that end and servers that go away, over HTTP (CONNECTION-030, CONNECTION-031). */
import { setTimeout as wait } from 'node:timers/promises';
import { ControlError } from 'mcp-fixture-server';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, pairedCalls, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callsFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { describes, freshWord, markedTool } from '../tool-lists.ts';
import { httpRequests, servedIn, sessionsOf } from './requests.ts';
import { BACK, backAgain, openWeb, quickly } from './steps.ts';

const SERVER = 'returning-web';
const FRESH = 'fresh';
const GONE = 'gone';
/** Calls while nothing can succeed, and milliseconds between them. */
const CALLS_IN_VAIN = 5;
const BETWEEN_MS = 60;
const SHOWN = 'the list of the new session is shown';

type Http = Parameters<typeof script>[3];

/** Waits for the new list, and calls what is new in it. */
async function lookForNew(bench: Bench, word: string): Promise<void> {
  const isShown = await bench.registry(SHOWN, (tools) => describes(word)(tools) && !describes(tool(SERVER, GONE).description ?? '')(tools));
  if (isShown) await ask(bench, SERVER, FRESH);
}

/** Calls while the server is away, for longer than the longest delay between two attempts. */
async function askInVain(bench: Bench): Promise<void> {
  for (let n = 0; n < CALLS_IN_VAIN; n += 1) {
    await ask(bench, SERVER, STEADY);
    await wait(BETWEEN_MS);
  }
}

/** Opens and calls, loses the server in one way, and finds it again with another list. */
function exercise(lose: (bench: Bench, server: BenchServer) => Promise<void>, more: Http = {}): (bench: Bench) => Promise<void> {
  return async (bench) => {
    const server = await openWeb(bench, SERVER, script(SERVER, [tool(SERVER, GONE)], [], more), quickly(bench).options);
    await ask(bench, SERVER, STEADY);
    const word = freshWord();
    await server.program(script(SERVER, [markedTool(SERVER, FRESH, word)], [], more));
    await lose(bench, server);
    await backAgain(bench, SERVER);
    await lookForNew(bench, word);
  };
}

/** Ends every session. Who gives each session back when an operation is over has none that could end; the judge sees that. */
export async function expire(_bench: Bench, server: BenchServer): Promise<void> {
  await server.fixture.do([{ closeSession: true }]).catch((error: unknown) => {
    if (!(error instanceof ControlError) || error.code !== 'refused') throw error;
  });
}
const restart = (_bench: Bench, server: BenchServer): Promise<void> => server.fixture.do([{ restart: true }]);

async function away(bench: Bench, server: BenchServer): Promise<void> {
  await server.fixture.do([{ down: true }]);
  await askInVain(bench);
  await server.fixture.do([{ restart: true }, { up: true }]);
}

/** Somebody else answers at its address for a while. */
async function replaced(bench: Bench, server: BenchServer): Promise<void> {
  const own = script(SERVER, [], [], {});
  await server.program({ ...own, rules: [{ id: NOBODY_HOME, when: { http: 'any' }, do: [{ respond: { status: 404 } }] }] });
  await server.fixture.do([{ restart: true }]);
  await askInVain(bench);
}
const NOBODY_HOME = 'nobody-home';

/** After `replaced` the server's own script is back, with its new list. */
async function exerciseReplaced(bench: Bench): Promise<void> {
  const server = await openWeb(bench, SERVER, script(SERVER, [tool(SERVER, GONE)]), quickly(bench).options);
  await ask(bench, SERVER, STEADY);
  await replaced(bench, server);
  const word = freshWord();
  await server.program(script(SERVER, [markedTool(SERVER, FRESH, word)]));
  await backAgain(bench, SERVER);
  await lookForNew(bench, word);
}

/** Where the loss is: what the suite told the server to do. */
function lossOf(history: History, orders: readonly string[]): number | undefined {
  return eventsOf(history, 'control').find(({ event }) => event.do?.some((one) => typeof one === 'object' && one !== null && orders.some((order) => order in one)) === true)?.index;
}

/** What all of them judge: found again, by a handshake that names no session, with the list and the tools of now. */
function judgeBack(history: History, ...orders: readonly string[]): Judgement {
  const calls = callsFor(history, STEADY, SERVER);
  const [healthy] = calls;
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const lost = lossOf(history, orders);
  const sessions = sessionsOf(history, SERVER);
  const [old] = sessions;
  const doubted = doubt([echoed(healthy), 'a healthy call before the loss'], [lost !== undefined && old?.end !== undefined, 'the end of the first session']);
  if (doubted !== undefined || lost === undefined || old === undefined) return doubted ?? inconclusive('nothing was lost');
  const wasAnyOpen = sessions.some(({ start, end }) => start.index < lost && (end?.index ?? Infinity) > lost);
  if (orders.includes('closeSession') && !wasAnyOpen) return { verdict: 'not-applicable', message: 'the subject keeps no session that could end' };
  const handshakes = httpRequests(history, SERVER).filter(({ index, rpc }) => index > lost && rpc === 'initialize');
  const named = handshakes.find(({ session }) => session !== undefined);
  const back = barrierOf(history, BACK);
  const shown = barrierOf(history, SHOWN);
  const fresh = pairedCalls(history).findLast(({ call }) => call.event.rawName === FRESH);
  // The last one counts: a call that was refused for its session may have been sent again (B04 binds resilience).
  const inNew = (call: PairedCall | undefined): boolean => {
    const session = servedIn(call?.requests.at(-1));
    return session !== undefined && session !== old.id;
  };
  return first(
    named === undefined ? undefined : fail('the handshake after the loss names the session that is gone', [named.index]),
    back === undefined ? inconclusive('nobody waited for the server to come back') : undefined,
    back?.event.reached === false ? fail(`the server was not found again within ${back.event.boundMs} ms, ${handshakes.length} handshakes were tried`, [lost, back.index]) : undefined,
    inNew(calls.at(-1)) ? undefined : inconclusive('the call that succeeded did not reach a new session'),
    shown === undefined ? inconclusive('nobody looked for the new list') : undefined,
    shown?.event.reached === false ? fail('what the new session lists did not replace the old list', [lost, shown.index]) : undefined,
    fresh === undefined ? inconclusive('the new tool was not called') : undefined,
    echoed(fresh) && inNew(fresh) ? undefined : fail('a tool of the new list cannot be called', fresh === undefined ? [] : placesOf(fresh)),
  ) ?? pass(`found again by ${handshakes.length} handshake${handshakes.length === 1 ? '' : 's'}, with the list of the new session`);
}

const LIMIT_MS = 60_000;

/** Checks of recoveries over HTTP. */
export const httpRecoveryChecks: readonly Check[] = [
  scripted({
    id: 'CONNECTION-030/told-with-an-error', invariant: 'CONNECTION-030', limitMs: LIMIT_MS,
    exercise: exercise(expire, { http: { unknownSession: '404-json' } }), judge: (history) => judgeBack(history, 'closeSession'),
  }),
  scripted({
    id: 'CONNECTION-030/told-by-status-alone', invariant: 'CONNECTION-030', limitMs: LIMIT_MS,
    exercise: exercise(expire, { http: { unknownSession: '404', answers: 'json', listen: false } }), judge: (history) => judgeBack(history, 'closeSession'),
  }),
  scripted({ id: 'CONNECTION-031/restarted', invariant: 'CONNECTION-031', limitMs: LIMIT_MS, exercise: exercise(restart), judge: (history) => judgeBack(history, 'restart') }),
  scripted({ id: 'CONNECTION-031/down-for-a-while', invariant: 'CONNECTION-031', limitMs: LIMIT_MS, exercise: exercise(away), judge: (history) => judgeBack(history, 'down') }),
  scripted({
    id: 'CONNECTION-031/another-in-its-place', invariant: 'CONNECTION-031', limitMs: LIMIT_MS, exercise: exerciseReplaced,
    judge: (history) => judgeBack(history, 'restart'),
  }),
];

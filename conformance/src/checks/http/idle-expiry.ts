/** A session that ends while nothing is called: who hears of it begins anew (CONNECTION-051). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { describes, freshWord, markedTool } from '../tool-lists.ts';
import { expire } from './recovery.ts';
import { httpRequests, sessionsOf, type HttpRequest } from './requests.ts';
import { openWeb, quickly, recoveryBoundMs } from './steps.ts';

const SERVER = 'idle-web';
const FRESH = 'fresh';
const SHOWN = 'the list of the new session is shown';
/** How long a subject that listens may take to come back for its stream, in milliseconds: the server asks for fifty. */
const HEARING_MS = 2_000;

/** Each stream to listen to begins with how long to wait when it ends; the list of a later session is another, and nobody sees it before. */
const rulesWith = (word: string): Rule[] => [
  { id: 'retry', when: { http: 'GET' }, do: [ANSWER, { raw: { text: 'retry: 50\n\n' } }] },
  { id: 'new-list', when: { method: 'initialize', incarnation: { from: 2 } }, do: [{ setTools: { tools: [tool(SERVER, STEADY), markedTool(SERVER, FRESH, word)] } }, ANSWER] },
];

const isRefusal = (record: TraceRecord): boolean => record.kind === 'frame' && record.direction === 'server-to-client' && record.http?.status === 404;

/** The session ends, with another list in the next one; nothing is called until that is shown. */
async function exercise(bench: Bench): Promise<void> {
  const word = freshWord();
  const server = await openWeb(bench, SERVER, script(SERVER, [], rulesWith(word)), quickly(bench).options);
  await ask(bench, SERVER, STEADY);
  const since = server.fixture.records.length;
  await expire(bench, server);
  const isHeard = await bench.wire(server, 'the subject hears of the end', isRefusal, { since, boundMs: HEARING_MS });
  // Where lists are fetched for each look, the look meets the end.
  if (!isHeard && bench.subject.registry === 'push') return;
  if (await bench.registry(SHOWN, describes(word), { boundMs: recoveryBoundMs(bench) })) await ask(bench, SERVER, FRESH);
  await bench.flush();
}

/** The first request of a session that told of its end: no call, and a GET only where there had been a stream before. */
function tellingRequest(requests: readonly HttpRequest[], { id, since }: { readonly id: string; readonly since: number }): HttpRequest | undefined {
  const hadStream = requests.some(({ index, method, session, status }) => index < since && method === 'GET' && session === id && status === 200);
  return requests.find(({ index, method, rpc, session, status }) => index > since && session === id && status === 404 && (method === 'GET' ? hadStream : method === 'POST' && rpc !== 'tools/call'));
}

function judge(history: History): Judgement {
  const healthy = callFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const ended = sessionsOf(history, SERVER).find(({ end }) => end !== undefined);
  const requests = httpRequests(history, SERVER);
  const told = ended?.end === undefined ? undefined : tellingRequest(requests, { id: ended.id, since: ended.end.index });
  const doubted = doubt([echoed(healthy), 'a healthy call before the end'], [ended !== undefined, 'the end of a session']);
  if (doubted !== undefined) return doubted;
  if (told === undefined) return { verdict: 'not-applicable', message: 'the subject asks for nothing in a session that ended while nothing was called' };
  const shown = barrierOf(history, SHOWN);
  const handshakes = requests.filter(({ index, rpc, session }) => index > told.index && rpc === 'initialize' && session === undefined);
  const fresh = callFor(history, FRESH, SERVER);
  const what = told.method === 'GET' ? 'a request for the event stream' : JSON.stringify(told.rpc);
  return first(
    shown === undefined ? inconclusive('nobody looked for the new list') : undefined,
    shown?.event.reached === false && handshakes.length === 0 ? fail(`${what} was answered with 404, and no new session was begun within ${shown.event.boundMs} ms`, [told.index, shown.index]) : undefined,
    shown?.event.reached === false ? fail(`${what} was answered with 404, and the list of the new session is not shown`, [told.index, shown.index]) : undefined,
    doubt([handshakes.length > 0, 'a handshake after the end'], [fresh !== undefined, 'a call of the new tool']),
    echoed(fresh) ? undefined : fail('a tool of the new list cannot be called', fresh === undefined ? [] : placesOf(fresh)),
  ) ?? pass(`${what} was answered with 404, and a new session begun, with its list`);
}

/** Checks of sessions that end while nothing is called. */
export const idleExpiryChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-051/while-idle', invariant: 'CONNECTION-051', exercise, judge }),
];

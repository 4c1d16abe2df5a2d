/** Calls that get a response over HTTP, and no answer in it: a failing status, a page, nothing (CALL-041, CALL-042, CALL-043). */
import type { Action } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import type { History } from '../../history/schema.ts';
import { faultsFired, subjectOf, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, callsFor, echoed, first, placesOf, readOf, replyOf, uncalled } from '../support/facts.ts';
import { onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { promptMs } from './lost-answers.ts';
import { backAgain, openWeb, patience, quickly } from './steps.ts';

const SERVER = 'evasive';

/** What a server, or a gateway before it, responds to a call instead of an answer. */
interface Form {
  readonly response: Extract<Action, { respond: unknown }>['respond'];
  /** Whether the call may have been executed for all that anybody can see. */
  readonly mayHaveRun: boolean;
}

/** How long a call is waited for once another has not settled, in milliseconds. */
const HASTY_MS = 200;

/** Who comes back for what was refused is invited to do so at once. */
const AT_ONCE = { 'retry-after': '0' };

/** Tools by what their calls get. No name holds a status: a failure may well name its tool. */
const FORMS: Readonly<Record<string, Form>> = {
  'internal-error': { response: { status: 500, body: 'Internal Server Error' }, mayHaveRun: true },
  'bad-gateway': { response: { status: 502, headers: { 'content-type': 'text/html' }, body: '<html><body>Bad Gateway</body></html>' }, mayHaveRun: true },
  unavailable: { response: { status: 503, headers: AT_ONCE, body: 'Service Unavailable' }, mayHaveRun: true },
  'gateway-timeout': { response: { status: 504 }, mayHaveRun: true },
  'too-many-requests': { response: { status: 429, headers: AT_ONCE, body: 'Too Many Requests' }, mayHaveRun: false },
  'accepted-as-if-it-were-a-notice': { response: { status: 202 }, mayHaveRun: true },
  'no-content': { response: { status: 204 }, mayHaveRun: true },
  'nothing-at-all': { response: { status: 200 }, mayHaveRun: true },
  'a-page': { response: { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Welcome</title>' }, mayHaveRun: true },
  'half-an-answer': { response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te' }, mayHaveRun: true },
};

async function exercise(bench: Bench): Promise<void> {
  const recovers = bench.subject.features.includes('reconnect');
  const names = Object.keys(FORMS);
  const rules = Object.entries(FORMS).map(([name, { response }]) => onCall(name, [{ respond: response }]));
  // Without a listening stream: a bridge that has one may hope for the answer there, though nobody may send it so.
  const scenario = script(SERVER, names.map((name) => tool(SERVER, name)), rules, { http: { listen: false } });
  await openWeb(bench, SERVER, scenario, { ...patience(bench), ...quickly(bench).options });
  await ask(bench, SERVER, STEADY);
  let boundMs = promptMs(bench.subject.bounds.settleMs) + SLACK_MS;
  for (const name of names) {
    const reply = await ask(bench, SERVER, name, { boundMs });
    // That calls do not settle is known by now.
    if (reply === undefined) boundMs = HASTY_MS;
    // A bridge may take what came for a loss of the connection, and then it comes back.
    if (!(recovers ? await backAgain(bench, SERVER) : (await ask(bench, SERVER, STEADY))?.outcome === 'ok')) break;
  }
  await bench.flush();
}

/** What was made of one form. */
interface Evaded extends Form {
  readonly name: string;
  readonly call: PairedCall;
}

const said = ({ name }: Evaded): string => `a call that got "${name.replaceAll('-', ' ')}" instead of an answer`;

/** The calls that got no answer; a judgement when there is none of them. */
function evadedCalls(history: History): readonly Evaded[] | Judgement {
  if (!echoed(callsFor(history, STEADY, SERVER)[0])) return uncalled(history, SERVER, STEADY) ?? inconclusive('not in the history: a healthy call before');
  const found = Object.entries(FORMS).flatMap(([name, form]): Evaded[] => {
    const call = callFor(history, name, SERVER);
    return call === undefined || call.requests.length === 0 || faultsFired(history, SERVER, `on-${name}`).length === 0 ? [] : [{ ...form, name, call }];
  });
  return found.length === 0 ? inconclusive('not in the history: a call that got no answer') : found;
}

/** Passes only where every form was met. */
function whole(found: readonly Evaded[], message: string): Judgement {
  const missing = Object.keys(FORMS).filter((name) => found.every((one) => one.name !== name));
  return missing.length === 0 ? pass(message) : inconclusive(`not in the history: ${missing.join(', ')}`);
}

const sentAgain = (one: Evaded): Judgement | undefined =>
  one.call.requests.length > 1 ? fail(`${said(one)} was sent ${one.call.requests.length} times`, placesOf(one.call)) : undefined;

function judgeOnce(history: History): Judgement {
  const found = evadedCalls(history);
  if ('verdict' in found) return found;
  // What says that it was not taken may be sent again without harm; that is no concern of this one.
  return first(...found.filter(({ mayHaveRun }) => mayHaveRun).map(sentAgain)) ?? whole(found, `${found.length} calls got no answer, and each was sent once`);
}

function judgePrompt(history: History): Judgement {
  const found = evadedCalls(history);
  if ('verdict' in found) return found;
  const limitMs = promptMs(subjectOf(history)?.bounds.settleMs ?? 0);
  return first(...found.map((one) => judgeEnd(one, limitMs) ?? judgeAfter(history, one)))
    ?? whole(found, `${found.length} calls without an answer failed at once, and later ones went through`);
}

function judgeEnd(one: Evaded, limitMs: number): Judgement | undefined {
  const { call, mayHaveRun } = one;
  const reply = replyOf(call);
  const tookMs = call.outcome === undefined ? Number.POSITIVE_INFINITY : call.outcome.event.atMs - call.call.event.atMs;
  const mayBe = mayHaveRun ? ['unknown'] : ['unknown', 'no'];
  return first(
    tookMs <= limitMs ? undefined : fail(`${said(one)} did not settle within ${limitMs} ms`, placesOf(call)),
    reply?.outcome === 'ok' ? fail(`${said(one)} succeeded`, placesOf(call)) : undefined,
    mayBe.includes(reply?.executed ?? '') ? undefined : fail(`${said(one)} is reported as executed: ${reply?.executed ?? ''}`, placesOf(call)),
    // The others are CALL-041's.
    mayHaveRun ? undefined : sentAgain(one),
  );
}

/** Whether some later call went through. */
function judgeAfter(history: History, one: Evaded): Judgement | undefined {
  const later = callsFor(history, STEADY, SERVER).filter(({ call }) => call.index > one.call.call.index);
  if (later.length === 0) return inconclusive(`not in the history: a healthy call after "${one.name}"`);
  return later.some(echoed) ? undefined : fail(`after ${said(one)} the server cannot be called`, placesOf(later.at(-1) ?? one.call));
}

function judgeSaid(history: History): Judgement {
  const found = evadedCalls(history);
  if ('verdict' in found) return found;
  // Whether they fail at all is CALL-042's.
  const refused = found.filter(({ call, response }) => response.status >= 400 && replyOf(call) !== undefined && replyOf(call)?.outcome !== 'ok');
  const silent = refused.find(({ call, response }) => !new RegExp(String.raw`(?<!\d)${response.status}(?!\d)`).test(readOf(replyOf(call))));
  if (silent !== undefined) return fail(`${said(silent)} does not say so: ${readOf(replyOf(silent.call)).slice(0, 200)}`, placesOf(silent.call));
  return refused.length === 0 ? inconclusive('not in the history: a call that was refused and failed') : whole(found, `${refused.length} calls that were refused say with which status`);
}

/** Checks of calls that get no answer. */
export const noAnswerChecks: readonly Check[] = [
  scripted({ id: 'CALL-041/no-answer', invariant: 'CALL-041', limitMs: 60_000, exercise, judge: judgeOnce }),
  scripted({ id: 'CALL-042/no-answer', invariant: 'CALL-042', limitMs: 60_000, exercise, judge: judgePrompt }),
  scripted({ id: 'CALL-043/no-answer', invariant: 'CALL-043', limitMs: 60_000, exercise, judge: judgeSaid }),
];

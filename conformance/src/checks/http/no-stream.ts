/** Servers that offer no stream to listen to (WIRE-022). */
import type { Rule, ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callsFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, ownScript } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { httpRequests } from './requests.ts';

/** Requests for a stream that a server without one may get in one session, while it is opened and called for some seconds. */
const MOST_ASKED = 5;
/** Each call takes so long at the server, in milliseconds: time in which a storm shows. */
const CALL_MS = 150;

const answering = (respond: object): Rule => ({ id: 'no-stream', when: { http: 'GET' }, do: [{ respond: { status: 200, ...respond } }] });

/** How each of them says so, by its name. */
const SAYINGS: Readonly<Record<string, { readonly rules: readonly Rule[]; readonly http?: ScenarioInput['http'] }>> = {
  'not-allowed': { rules: [], http: { listen: false } },
  // Without sessions: 404 to one that is named says that it is over, and a client begins another.
  'not-found': { rules: [answering({ status: 404 })], http: { sessions: false } },
  'not-acceptable': { rules: [answering({ status: 406 })] },
  'another-page': { rules: [answering({ headers: { 'content-type': 'application/json' }, body: '{}' })] },
};

const toolOf = (server: string): string => `of-${server}`;

async function exercise(bench: Bench): Promise<void> {
  const names = Object.keys(SAYINGS);
  const servers = await Promise.all(Object.entries(SAYINGS).map(([name, { rules, http }]) => {
    const slow = onCall(toolOf(name), [{ delay: CALL_MS }, ANSWER]);
    return bench.serveHttp(name, { ...ownScript(name, [toolOf(name)], [slow, ...rules]), ...(http === undefined ? {} : { http }) });
  }));
  const opened = bench.subject.servers === 'one' ? servers.slice(0, 1) : servers;
  await bench.open(opened);
  const called = names.slice(0, opened.length);
  for (let round = 0; round < 2; round += 1) await Promise.all(called.map((name) => ask(bench, name, toolOf(name))));
  await bench.flush();
}

/** Positions of the requests for a stream after the handshake, or in the session, with the most of them: a client may have several, and ask once in each. */
function mostAsked(history: History, server: string): number[] {
  const groups = new Map<string, number[]>();
  let handshakes = 0;
  for (const { index, method, rpc, session } of httpRequests(history, server)) {
    if (rpc === 'initialize') handshakes += 1;
    if (method !== 'GET') continue;
    const group = session ?? `after handshake ${handshakes}`;
    groups.set(group, [...groups.get(group) ?? [], index]);
  }
  return [...groups.values()].reduce((most, one) => (one.length > most.length ? one : most), []);
}

function judge(history: History): Judgement {
  const opened = eventsOf(history, 'request').find(({ event }) => event.step === 'open')?.event.servers.map(({ name }) => name) ?? [];
  const doubted = doubt([opened.length > 0, 'an opening']);
  if (doubted !== undefined) return doubted;
  let most = 0;
  for (const name of opened) {
    const asked = mostAsked(history, name);
    most = Math.max(most, asked.length);
    if (asked.length > MOST_ASKED) return fail(`"${name}", which has no event stream, was asked for one ${asked.length} times in one session`, asked);
    const calls = callsFor(history, toolOf(name), name);
    if (calls.length === 0) return uncalled(history, name, toolOf(name)) ?? inconclusive(`"${name}" was not called`);
    const bad = calls.find((call) => !echoed(call));
    const failed = bad === undefined ? undefined : first(
      bad.requests.length === 0 || bad.answer !== undefined || bad.outcome === undefined ? fail(`"${name}" offers no event stream, and its tool cannot be called`, placesOf(bad)) : undefined,
      inconclusive(`a call of "${name}" was not answered`),
    );
    if (failed !== undefined) return failed;
  }
  return pass(`${opened.length} servers without an event stream were called, and asked for one ${most} times at most in a session`);
}

/** Checks of servers without a stream. */
export const noStreamChecks: readonly Check[] = [scripted({ id: 'WIRE-022/four-sayings', invariant: 'WIRE-022', exercise, judge })];

/** In which form a server answers, and whether it gives out a session (WIRE-043): all are servers as the specification has them. */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, received, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, offeredBarrier, placesOf, uncalled } from '../support/facts.ts';
import { ownScript } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { httpRequests } from './requests.ts';

/** Each of them, by its name. */
const FORMS: Readonly<Record<string, ScenarioInput['http']>> = {
  'json-with-a-session': { answers: 'json' },
  'json-without-a-session': { answers: 'json', sessions: false },
  'streams-with-a-session': { answers: 'event-stream' },
  'streams-without-a-session': { answers: 'event-stream', sessions: false },
};

const toolOf = (server: string): string => `of-${server}`;

async function exercise(bench: Bench): Promise<void> {
  const servers = await Promise.all(Object.entries(FORMS).map(([name, http]) => bench.serveHttp(name, { ...ownScript(name, [toolOf(name)]), ...(http === undefined ? {} : { http }) })));
  const rounds = bench.subject.servers === 'one' ? servers.map((one) => [one]) : [servers];
  for (const round of rounds) {
    await bench.open(round);
    await Promise.all(round.map(({ name }) => ask(bench, name, toolOf(name))));
    await bench.close();
  }
}

/** One server: that it was listed and can be called. */
function judgeOne(history: History, name: string): Judgement | undefined {
  const shaken = httpRequests(history, name).find(({ rpc, status }) => rpc === 'initialize' && status === 200);
  if (shaken === undefined) return inconclusive(`not in the history: a handshake of "${name}"`);
  const call: PairedCall | undefined = callFor(history, toolOf(name), name);
  if (call !== undefined) {
    if (echoed(call)) return undefined;
    const isOwnFault = call.requests.length === 0 || call.answer !== undefined;
    return isOwnFault ? fail(`a tool of a server of the form "${said(name)}" cannot be called`, placesOf(call)) : inconclusive(`"${name}" did not answer a call`);
  }
  const barrier = barrierOf(history, offeredBarrier(name, toolOf(name)));
  const silent = barrierOf(history, 'open settles');
  if (received(history, name, 'tools/list').length === 0) {
    if (barrier?.event.reached === false) return fail(`a server of the form "${said(name)}" was never asked for its tools`, [shaken.index, barrier.index]);
    if (silent?.event.reached === false) return fail(`the handshake with a server of the form "${said(name)}" never ended`, [shaken.index, silent.index]);
  }
  return uncalled(history, name, toolOf(name));
}

const said = (name: string): string => name.replaceAll('-', ' ');

function judge(history: History): Judgement {
  const opened = new Set(eventsOf(history, 'request').filter(({ event }) => event.step === 'open').flatMap(({ event }) => event.servers.map(({ name }) => name)));
  const judged = Object.keys(FORMS).map((name) => (opened.has(name) ? judgeOne(history, name) : doubt([false, `an opening of "${name}"`])));
  return first(...judged.filter((one) => one?.verdict === 'fail'), ...judged) ?? pass(`${judged.length} servers, of JSON and of event streams, with a session and without, were listed and called`);
}

/** Checks of the forms of answers. */
export const formChecks: readonly Check[] = [scripted({ id: 'WIRE-043/four-forms', invariant: 'WIRE-043', exercise, judge })];

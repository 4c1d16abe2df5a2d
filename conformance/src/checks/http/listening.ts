/** Announcements around the loss of the stream they come by (GENERATION-020). */
import type { Action, ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, pairedCalls, subjectOf, wireRecords } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { describes, freshWord, markedTool } from '../tool-lists.ts';
import { openWeb } from './steps.ts';

const SERVER = 'broadcaster';
const FRESH = 'fresh';
const LISTENS = 'the subject listens';
const AGAIN = 'the subject listens again';
/** The barrier of an announcement on the way; the last one that was waited for counts. */
const HEARD = 'an announcement is followed';
const SHOWN = 'the announced list is shown';
const ANNOUNCED: Action = { notify: { method: 'notifications/tools/list_changed' } };

/** Whether a record is the head of a stream to listen to. */
function opened(record: TraceRecord): boolean {
  return record.kind === 'frame' && record.direction === 'server-to-client' && record.http?.method === 'GET' && record.http.status === 200;
}

const HTTP: ScenarioInput['http'] = { retryMs: 20, unheard: 'lose' };
const listingWith = (word: string): ScenarioInput => script(SERVER, [markedTool(SERVER, FRESH, word)], [], { http: HTTP });

/** Another list, announced; waits until it is shown. */
async function announced(bench: Bench, server: BenchServer, what: string): Promise<boolean> {
  const word = freshWord();
  await server.program(listingWith(word));
  await server.fixture.do([ANNOUNCED]);
  return bench.registry(what, describes(word));
}

/** Opens, and sees announcements followed: what a bridge looks for by itself at the beginning is over then. */
async function begin(bench: Bench): Promise<BenchServer | undefined> {
  const server = await openWeb(bench, SERVER, script(SERVER, [], [], { http: HTTP }));
  await ask(bench, SERVER, STEADY);
  if (!(await bench.wire(server, LISTENS, opened))) return undefined;
  // The first may be seen by whoever looks once more when its stream has opened; the second is followed for its own sake.
  return (await announced(bench, server, HEARD)) && (await announced(bench, server, HEARD)) ? server : undefined;
}

/** The stream ends as it should; what is announced after the subject listens again is heard. */
async function exerciseAfter(bench: Bench): Promise<void> {
  const server = await begin(bench);
  if (server === undefined) return;
  const since = server.fixture.records.length;
  await server.fixture.do([{ closeStream: 'listen' }]);
  await bench.wire(server, AGAIN, opened, { since });
  // Who looks again by itself after a loss does so by now; the next change shows by its announcement alone.
  if ((await announced(bench, server, HEARD)) && (await announced(bench, server, SHOWN))) await ask(bench, SERVER, FRESH);
  await bench.flush();
}

/** The stream is reset, and the list changes before the subject can listen again: nobody hears of it. */
async function exerciseMissed(bench: Bench): Promise<void> {
  const server = await begin(bench);
  if (server === undefined) return;
  const word = freshWord();
  const since = server.fixture.records.length;
  await server.fixture.do([{ reset: 'listen' }, { setTools: { tools: [tool(SERVER, STEADY), markedTool(SERVER, FRESH, word)] } }, ANNOUNCED]);
  await server.program(listingWith(word));
  await bench.wire(server, AGAIN, opened, { since });
  if (await bench.registry(SHOWN, describes(word))) await ask(bench, SERVER, FRESH);
  await bench.flush();
}

function judge(history: History): Judgement {
  const healthy = callFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const listens = barrierOf(history, LISTENS);
  const shown = barrierOf(history, SHOWN);
  const doubted = doubt([echoed(healthy), 'a healthy call'], [listens !== undefined, 'a wait for the stream']);
  if (doubted !== undefined || listens === undefined) return doubted ?? inconclusive('nobody waited');
  const isPull = subjectOf(history)?.registry === 'pull';
  if (!listens.event.reached && isPull) return { verdict: 'not-applicable', message: 'the subject asks for no event stream, and has a registry that is looked at' };
  if (!listens.event.reached) return fail('the subject follows announcements, and does not listen for them', [listens.index]);
  const heard = barrierOf(history, HEARD);
  if (heard?.event.reached === false) return fail('a change that was announced was never followed', [heard.index]);
  const fresh = pairedCalls(history).findLast(({ call }) => call.event.rawName === FRESH);
  const lost = wireRecords(history, 'frame', SERVER).find(({ event }) => event.http?.method === 'GET' && event.http.ended !== undefined);
  return first(
    doubt([lost !== undefined, 'the loss of the stream'], [shown !== undefined, 'a wait for the announced list']),
    shown?.event.reached === false ? fail('a change that was announced around the loss of the stream was never followed', [lost?.index ?? 0, shown.index]) : undefined,
    fresh === undefined ? inconclusive('the new tool was not called') : undefined,
    fresh === undefined || echoed(fresh) ? undefined : fail('a tool of the announced list cannot be called', placesOf(fresh)),
  ) ?? pass('the announced list is shown');
}

/** Checks of streams to listen to. */
export const listeningChecks: readonly Check[] = [
  scripted({ id: 'GENERATION-020/heard-again', invariant: 'GENERATION-020', exercise: exerciseAfter, judge }),
  scripted({ id: 'GENERATION-020/missed', invariant: 'GENERATION-020', exercise: exerciseMissed, judge }),
];

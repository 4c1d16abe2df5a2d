/** A server that notifies of whatever there is, in a call: what comes back (WIRE-047), and what it costs (WIRE-048, WIRE-050). */
import type { Action, ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { awaiting } from '../../bench/waits.ts';
import type { History } from '../../history/schema.ts';
import { frames } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { openWeb } from '../http/steps.ts';
import { callFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, heldAt, openOne, receives, settle } from '../support/steps.ts';
import { judgeForms } from './message-forms.ts';
import { answers } from './server-requests.ts';

const SERVER = 'talkative';
const NOTIFYING = 'notifying';
const GIVEN_UP = 'given-up';
/** For an answer or a notice that a bridge may owe nobody, in milliseconds. */
const REPLY_BOUND_MS = 2_000;

/** The last of them; whoever is called after it has read the others. */
const UNKNOWN = 'notifications/no/such';

/** Nothing of it is about tools, or about anything that was asked. */
const NEWS: readonly Action[] = [
  { notify: { method: 'notifications/message', params: { level: 'info', data: { words: ['a', 1] } } } },
  { notify: { method: 'notifications/progress', params: { progressToken: 'of-nobody', progress: 1, total: 2 } } },
  { notify: { method: 'notifications/cancelled', params: { requestId: 'of-nobody', reason: 'no reason' } } },
  { notify: { method: 'notifications/resources/updated', params: { uri: 'file:///nothing' } } },
  { notify: { method: 'notifications/prompts/list_changed' } },
  { notify: { method: UNKNOWN, params: { of: 'another time' } } },
];

/** Messages that are no use to anybody: a notification lacks what it is about, or its params are none. */
const NONSENSE: readonly Action[] = [
  { notify: { method: 'notifications/progress' } },
  { notify: { method: 'notifications/progress', params: { progressToken: {}, progress: 'much' } } },
  { notify: { method: 'notifications/message', params: { level: 7 } } },
  { notify: { method: 'notifications/cancelled', params: {} } },
  ...['"text"', 'null', '[1]'].map((params): Action => ({ raw: { text: `{"jsonrpc":"2.0","method":"notifications/message","params":${params}}\n` } })),
  { notify: { method: UNKNOWN } },
];

/** Requests of the server: one that has a result, one that has an error. */
const QUESTIONS = [{ id: 'a-ping', method: 'ping' }, { id: 4_711, method: 'no/such/method' }] as const;

type Opener = (bench: Bench, scenario: ScenarioInput) => Promise<BenchServer>;

const overStdio: Opener = (bench, scenario) => openOne(bench, SERVER, scenario);
const overHttp: Opener = (bench, scenario) => {
  return openWeb(bench, SERVER, scenario);
};

/** A call in which the server notifies, and one after it. */
const notified = (opener: Opener, news: readonly Action[]) => async (bench: Bench): Promise<void> => {
  await opener(bench, script(SERVER, [tool(SERVER, NOTIFYING)], [onCall(NOTIFYING, [...news, ANSWER])]));
  await ask(bench, SERVER, NOTIFYING);
  await ask(bench, SERVER, STEADY);
  await bench.close();
};

/** The same with two questions, and a call that is given up where the subject can. */
const everyForm = (opener: Opener) => async (bench: Bench): Promise<void> => {
  const questions = QUESTIONS.map(({ id, method }): Action => ({ request: { id, method, params: {} } }));
  const server = await opener(bench, script(SERVER, [tool(SERVER, NOTIFYING), tool(SERVER, GIVEN_UP)], [
    onCall(NOTIFYING, [...NEWS, ...questions, { hold: NOTIFYING }, ANSWER]), onCall(GIVEN_UP, [{ hold: GIVEN_UP }, ANSWER]),
  ]));
  const call = await begin(bench, SERVER, NOTIFYING);
  await Promise.all(QUESTIONS.map(({ id, method }) => bench.wire(server, `answer to ${method}`, awaiting({ replied: id }, (record) => answers(record, id)), { boundMs: REPLY_BOUND_MS })));
  await server.fixture.release(NOTIFYING);
  await settle(call);
  if (bench.subject.features.includes('abort')) await giveUp(bench, server);
  await ask(bench, SERVER, STEADY);
  await bench.close();
};

async function giveUp(bench: Bench, server: BenchServer): Promise<void> {
  const call = await begin(bench, SERVER, GIVEN_UP, { boundMs: 3_000 });
  await bench.wire(server, 'it is held', heldAt(GIVEN_UP));
  await call?.cancel();
  await bench.wire(server, 'the cancellation arrived', receives('notifications/cancelled'), { boundMs: REPLY_BOUND_MS });
  await server.fixture.release(GIVEN_UP);
  await settle(call);
}

/** Both calls ended with their own answers. */
function judgeHarm(history: History): Judgement {
  const told = frames(history, { server: SERVER, direction: 'server-to-client', method: UNKNOWN })[0];
  const [call, steady] = [callFor(history, NOTIFYING), callFor(history, STEADY)];
  if (call === undefined) return uncalled(history, SERVER, NOTIFYING) ?? inconclusive('the tool was not called');
  return first(
    doubt([told !== undefined, 'the notifications']),
    echoed(call) ? undefined : fail('a call in which its server notified did not end with its answer', placesOf(call)),
    steady === undefined ? uncalled(history, SERVER, STEADY) : undefined,
    echoed(steady) ? undefined : fail('a call after what the server notified did not end with its answer', steady === undefined ? [] : placesOf(steady)),
  ) ?? pass('the call in which the server notified, and the one after it, ended with their answers');
}

/** Checks of notifications of a server. */
export const notificationChecks: readonly Check[] = [
  scripted({ id: 'WIRE-047/over-stdio', invariant: 'WIRE-047', exercise: everyForm(overStdio), judge: judgeForms }),
  scripted({ id: 'WIRE-047/over-http', invariant: 'WIRE-047', transports: ['streamable-http'], exercise: everyForm(overHttp), judge: judgeForms }),
  scripted({ id: 'WIRE-048/over-stdio', invariant: 'WIRE-048', exercise: notified(overStdio, NEWS), judge: judgeHarm }),
  scripted({ id: 'WIRE-048/over-http', invariant: 'WIRE-048', transports: ['streamable-http'], exercise: notified(overHttp, NEWS), judge: judgeHarm }),
  scripted({ id: 'WIRE-050/nonsense', invariant: 'WIRE-050', exercise: notified(overStdio, NONSENSE), judge: judgeHarm }),
];

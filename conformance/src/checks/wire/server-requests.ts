/**
 * Requests from the server to the client.
 */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { frames, messageOf, type At } from '../../history/views.ts';
import type { FrameRecord } from 'mcp-fixture-server/trace';
import { awaiting } from '../../bench/waits.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { byDelivery, refusedWith } from '../support/delivered.ts';
import { callFor, first, idOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, script, tool } from '../support/scripts.ts';
import { begin, memberOf, openOne, settle } from '../support/steps.ts';
import { declaredTo, mayWait, wrongAnswer } from './served.ts';

/** The server that asks. */
export const SERVER = 'curious';
const ASKING = 'asking';
const HOLD = 'answers';

/** What the server asks in the middle of a call. */
const QUESTIONS = [
  { id: 'server-ping', method: 'ping', params: {} },
  { id: 9001, method: 'roots/list', params: {} },
  {
    id: 'server-sampling', method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'say yes' } }], maxTokens: 1 },
  },
  {
    id: 9002, method: 'elicitation/create',
    params: { message: 'yes or no?', requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } } },
  },
  { id: 'server-unknown', method: 'no/such/method', params: {} },
] as const;

/**
 * A call in the middle of which the server asks, answered when all of it was, or nothing came. `more`: what else is done meanwhile.
 */
export async function askInCall(
  bench: Bench, opener: (name: string, scenario: ScenarioInput) => Promise<BenchServer>, more: (server: BenchServer) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const questions = QUESTIONS.map(({ id, method, params }) => ({ request: { method, id, params } }));
  const server = await opener(SERVER, script(SERVER, [tool(SERVER, ASKING)], [onCall(ASKING, [...questions, { hold: HOLD }, ANSWER])]));
  const call = await begin(bench, SERVER, ASKING);
  if (call === undefined) return;
  await Promise.all(QUESTIONS.map(({ id, method }) =>
    bench.wire(server, `answer to ${method}`, awaiting({ replied: id }, (record) => answers(record, id)), { boundMs: 2_000 })));
  await more(server);
  await server.fixture.release(HOLD);
  await settle(call);
  await bench.close();
}

/** Reads the answers to what was asked in the call. */
export function judgeQuestions(history: History): Judgement {
  const call = callFor(history, ASKING);
  if (call === undefined) return uncalled(history, SERVER, ASKING) ?? inconclusive('no call was made');
  const released = call.answer;
  if (released === undefined) return inconclusive('the call in which the server asks was not answered by the server');
  const declared = declaredTo(history, SERVER);
  const wrong = QUESTIONS.map((question) => judgeOne(history, question, declared, released.index));
  return first(
    ...wrong.filter((one) => one?.verdict === 'fail'), ...wrong,
  ) ?? pass('ping got an empty result, other requests what the client declares, before the call was answered');
}

/** WIRE-002: ping is answered, other requests are refused at once. */
export const serverRequests = scripted({
  id: 'WIRE-002/asked-in-a-call',
  invariant: 'WIRE-002',
  exercise: (bench) => askInCall(bench, (name, scenario) => openOne(bench, name, scenario)),
  judge: judgeQuestions,
});

function judgeOne(history: History, question: (typeof QUESTIONS)[number], declared: ReadonlySet<string>, limit: number): Judgement | undefined {
  const asked = frames(history, { direction: 'server-to-client', method: question.method })[0];
  if (asked === undefined) return inconclusive(`the server did not send ${question.method}`);
  const { taken: [answer], refused: [refused] } = answersTo(history, question.id);
  if (answer === undefined && refused !== undefined) return fail(`the server refused the answer to ${question.method} with ${refusedWith(history, refused)}`, [asked.index, refused.index]);
  if ((answer === undefined || answer.index > limit) && mayWait(question.method, declared)) return undefined;
  if (answer === undefined) return fail(`${question.method} from the server was never answered`, [asked.index]);
  if (answer.index > limit) return fail(`${question.method} from the server was answered only after the call`, [asked.index, answer.index]);
  return wrongAnswer(question.method, messageOf(answer.event), declared, [answer.index]);
}

/** What was answered to the request of this id, by whether the server took it. */
export function answersTo(history: History, id: string | number): ReturnType<typeof byDelivery> {
  return byDelivery(history, frames(history, { direction: 'client-to-server' }).filter((frame) => isAnswer(frame, id)));
}

/** Whether a frame answers the request of this id. */
function isAnswer(frame: At<FrameRecord>, id: string | number): boolean {
  return idOf(frame) === id && messageOf(frame.event)['method'] === undefined;
}

/** Whether a record is an answer of the subject to the request of this id. */
export function answers(record: TraceRecord, id: string | number): boolean {
  return record.kind === 'frame' && record.direction === 'client-to-server' &&
    memberOf(record.message, 'id') === id && memberOf(record.message, 'method') === undefined;
}

/** Requests of a server over HTTP: in the stream of a call, and in the one that is listened to (WIRE-040). */
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench } from '../../bench/bench.ts';
import { awaiting } from '../../bench/waits.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, frames, messageOf } from '../../history/views.ts';
import { fail, scripted, type Check, type Judgement } from '../check.ts';
import { refusedWith } from '../support/delivered.ts';
import { first, idOf } from '../support/facts.ts';
import { askInCall, answers, answersTo, judgeQuestions, SERVER } from '../wire/server-requests.ts';
import { wrongAnswer } from '../wire/served.ts';
import { openWeb } from './steps.ts';

/** The ping by the stream that is listened to; it waits there for nobody. */
const PING = 'ping-while-listening';
const ANSWERED = 'answer to a ping in the stream that is listened to';
const ANSWER_BOUND_MS = 2_000;

const isListening = (record: TraceRecord): boolean => record.kind === 'frame' && record.direction === 'server-to-client' && record.http?.method === 'GET' && record.http.status === 200;

async function exercise(bench: Bench): Promise<void> {
  await askInCall(bench, (name, scenario) => openWeb(bench, name, { ...scenario, http: { unheard: 'lose' } }), async (server) => {
    // Who does not listen is not asked there: a client may do without that stream.
    if (!server.fixture.records.some(isListening)) return;
    await server.fixture.do([{ request: { method: 'ping', id: PING, params: {} } }]);
    await bench.wire(server, ANSWERED, awaiting({ replied: PING }, (record) => answers(record, PING)), { boundMs: ANSWER_BOUND_MS });
  });
}

/** The ping by the other stream; `undefined` where none was sent. */
function judgeListening(history: History): Judgement | undefined {
  const asked = frames(history, { server: SERVER, direction: 'server-to-client', method: 'ping' }).find((frame) => idOf(frame) === PING);
  const { taken: [answer], refused: [refused] } = answersTo(history, PING);
  if (asked === undefined) return undefined;
  if (answer === undefined && refused !== undefined) return fail(`the server refused the answer to a ping in the stream that is listened to with ${refusedWith(history, refused)}`, [asked.index, refused.index]);
  if (answer === undefined) {
    const waited = barrierOf(history, ANSWERED);
    return waited?.event.reached === false ? fail('a ping in the stream that is listened to was never answered', [asked.index, waited.index]) : undefined;
  }
  return wrongAnswer('ping', messageOf(answer.event), new Set(), [answer.index]);
}

function judge(history: History): Judgement {
  const inCall = judgeQuestions(history);
  return first(inCall.verdict === 'fail' ? inCall : undefined, judgeListening(history), inCall) ?? inCall;
}

/** Checks of requests of a server over HTTP. */
export const askedBackChecks: readonly Check[] = [scripted({ id: 'WIRE-040/asked-by-both-streams', invariant: 'WIRE-040', exercise, judge })];

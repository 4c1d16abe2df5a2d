/**
 * Calls that their caller gives up.
 */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { within } from '../../bench/endings.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, eventsOf, paramsOf, received, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { byDelivery, refusedWith } from '../support/delivered.ts';
import { callFor, doubt, echoed, first, placesOf, replyOf, requestId, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, heldAt, openOne, receives, settle } from '../support/steps.ts';

const SERVER = 'patient';
const SLOW = 'slow';
const BESIDE = 'beside';
/** What a call may take that is answered at once, in milliseconds: two that never settle leave the exercise time to end. */
const ENOUGH_MS = 8_000;
/** What the call that is given up may take, in milliseconds: longer than everything that is waited for before it is cancelled. */
const SLOW_MS = 10_000;
/** For the call beside while the first one is held, in milliseconds: who sends one call at a time sends it afterwards. */
const BESIDE_MS = 2_000;
/** How long what follows from a cancellation may take, in milliseconds. */
const CANCELLED_MS = 3_000;
const BESIDE_HELD = 'beside held';

/** Declares the server and opens the subject with it alone. */
type Opener = (bench: Bench, name: string, scenario: ScenarioInput) => Promise<BenchServer>;

/** Cancels one of two calls in flight, lets its answer come late, and calls again. */
export function cancelOne(opener: Opener): (bench: Bench) => Promise<void> {
  return async (bench) => {
    const server = await opener(bench, SERVER, script(SERVER, [tool(SERVER, SLOW), tool(SERVER, BESIDE)], [
      onCall(SLOW, [{ hold: SLOW }, ANSWER]), onCall(BESIDE, [{ hold: BESIDE }, ANSWER]),
    ]));
    const slow = await begin(bench, SERVER, SLOW, { boundMs: SLOW_MS });
    await bench.wire(server, 'slow held', heldAt(SLOW));
    const beside = await begin(bench, SERVER, BESIDE, { boundMs: ENOUGH_MS });
    const isHeld = await bench.wire(server, BESIDE_HELD, heldAt(BESIDE), { boundMs: BESIDE_MS });
    await slow?.cancel();
    await bench.wire(server, 'the cancellation arrived', receives('notifications/cancelled'), { boundMs: CANCELLED_MS });
    await within(settle(slow), CANCELLED_MS);
    if (!isHeld) await bench.wire(server, BESIDE_HELD, heldAt(BESIDE));
    await bench.flush();
    await server.fixture.release(SLOW);
    await server.fixture.release(BESIDE);
    await settle(beside);
    await ask(bench, SERVER, STEADY, { boundMs: ENOUGH_MS });
    await bench.close();
  };
}

const cancelOverStdio = cancelOne((bench, name, scenario) => openOne(bench, name, scenario));

/** One notice, with the right id. */
export function judgeNotice(history: History): Judgement {
  const call = callFor(history, SLOW);
  if (call === undefined) return uncalled(history, SERVER, SLOW) ?? inconclusive('no call was made');
  const doubted = doubt([call.requests.length > 0, 'the call on the wire'], [call.cancels.length > 0, 'its cancellation']);
  if (doubted !== undefined) return doubted;
  const id = requestId(call);
  // A server over HTTP that refuses a notice has heard nothing of it.
  const { taken: notices, refused: [refused] } = byDelivery(history, received(history, SERVER, 'notifications/cancelled'));
  const wrong = notices.find(({ event }) => paramsOf(event)['requestId'] !== id);
  if (wrong !== undefined) return fail(`a notice names request ${JSON.stringify(paramsOf(wrong.event)['requestId'])}; cancelled was ${JSON.stringify(id)}`, [wrong.index]);
  if (notices.length > 1) return fail(`${notices.length} notices were sent for one cancellation`, notices.map(({ index }) => index));
  if (notices.length === 1) return pass('one notice with the id of the request');
  if (refused !== undefined) return fail(`the server refused the notice with ${refusedWith(history, refused)}`, [refused.index]);
  const later = callFor(history, STEADY);
  return later !== undefined && later.requests.length > 0
    ? fail('the server heard nothing of the cancellation, and received a later call', placesOf(later))
    : inconclusive('no later call reached the server');
}

/** From where on a call's answer may come: its answer, or the release of it where nobody took it any more. */
function answerableAt(history: History, call: PairedCall | undefined, hold: string): number | undefined {
  return call?.answer?.index ?? eventsOf(history, 'control').find(({ event }) => event.release === hold)?.index;
}

/** It settles by itself and harms nobody. */
export function judgeSettling(history: History): Judgement {
  const call = callFor(history, SLOW);
  if (call === undefined) return uncalled(history, SERVER, SLOW) ?? inconclusive('no call was made');
  const answerable = answerableAt(history, call, SLOW);
  const doubted = doubt([call.requests.length > 0, 'the call on the wire'], [call.cancels.length > 0, 'its cancellation'], [answerable !== undefined, 'its late answer']);
  if (doubted !== undefined || answerable === undefined) return doubted ?? inconclusive('nothing was answered');
  const givenUp = barrierOf(history, `${call.callId} settles`);
  if (givenUp !== undefined && givenUp.index < (call.cancels[0]?.index ?? 0)) return inconclusive('nobody waited for the call any more when it was cancelled', [givenUp.index]);
  if (call.outcome === undefined) return fail('a cancelled call never settled', placesOf(call));
  if (replyOf(call)?.outcome === 'ok') return fail('a cancelled call succeeded', placesOf(call));
  if (call.outcome.index > answerable) return fail('a cancelled call settled only when the server answered', placesOf(call));
  const [beside, steady] = [callFor(history, BESIDE), callFor(history, STEADY)];
  const besideAt = answerableAt(history, beside, BESIDE);
  return first(
    doubt([beside !== undefined && beside.requests.length > 0 && besideAt !== undefined, 'an answer to the call beside']),
    echoed(beside) || besideAt === undefined ? undefined : judgeBeside(beside, besideAt),
    steady !== undefined && echoed(steady) ? undefined : fail('a call after the late answer failed', steady === undefined ? [] : placesOf(steady)),
  ) ?? pass('the cancelled call settled before the late answer, the others with their own');
}

/** The call beside ended otherwise than with its echo. Where its answer was never sent, only an end before it was due says who was at fault. */
function judgeBeside(beside: PairedCall | undefined, answerable: number): Judgement {
  const isOwnFault = beside !== undefined && (beside.answer !== undefined || (beside.outcome !== undefined && beside.outcome.index < answerable));
  return isOwnFault ? fail('the call beside a cancelled one did not end with its own answer', placesOf(beside)) : inconclusive('the server did not answer the call beside');
}

/** CALL-010: one notice, with the right id. */
export const cancelledOnce = scripted({ id: 'CALL-010/one-notice', invariant: 'CALL-010', exercise: cancelOverStdio, judge: judgeNotice });

/** CALL-011: it settles by itself and harms nobody. */
export const cancelledSettles = scripted({ id: 'CALL-011/settles-alone', invariant: 'CALL-011', exercise: cancelOverStdio, judge: judgeSettling });

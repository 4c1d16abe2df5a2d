/**
 * Calls that their caller gives up.
 */
import type { Bench } from '../../bench/bench.ts';
import { paramsOf, received } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { before, callFor, doubt, echoed, first, placesOf, replyOf, requestId, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, heldAt, openOne, receives, settle } from '../support/steps.ts';

const SERVER = 'patient';
const SLOW = 'slow';
const BESIDE = 'beside';

/** Cancels one of two calls in flight, lets its answer come late, and calls again. */
async function cancelOne(bench: Bench): Promise<void> {
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, SLOW), tool(SERVER, BESIDE)], [
    onCall(SLOW, [{ hold: SLOW }, ANSWER]), onCall(BESIDE, [{ hold: BESIDE }, ANSWER]),
  ]));
  const slow = await begin(bench, SERVER, SLOW, { boundMs: 3_000 });
  await bench.wire(server, 'slow held', heldAt(SLOW));
  const beside = await begin(bench, SERVER, BESIDE);
  await bench.wire(server, 'beside held', heldAt(BESIDE));
  await slow?.cancel();
  await bench.wire(server, 'the cancellation arrived', receives('notifications/cancelled'), { boundMs: 3_000 });
  await settle(slow);
  await bench.flush();
  await server.fixture.release(SLOW);
  await server.fixture.release(BESIDE);
  await settle(beside);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

/** CALL-010: one notice, with the right id. */
export const cancelledOnce = scripted({
  id: 'CALL-010/one-notice',
  invariant: 'CALL-010',
  exercise: cancelOne,
  judge(history): Judgement {
    const call = callFor(history, SLOW);
    if (call === undefined) return uncalled(history, SERVER, SLOW) ?? inconclusive('no call was made');
    const doubted = doubt([call.requests.length > 0, 'the call on the wire'], [call.cancels.length > 0, 'its cancellation']);
    if (doubted !== undefined) return doubted;
    const id = requestId(call);
    const notices = received(history, SERVER, 'notifications/cancelled');
    const wrong = notices.find(({ event }) => paramsOf(event)['requestId'] !== id);
    if (wrong !== undefined) return fail(`a notice names request ${JSON.stringify(paramsOf(wrong.event)['requestId'])}; cancelled was ${JSON.stringify(id)}`, [wrong.index]);
    if (notices.length > 1) return fail(`${notices.length} notices were sent for one cancellation`, notices.map(({ index }) => index));
    if (notices.length === 1) return pass('one notice with the id of the request');
    const later = callFor(history, STEADY);
    return later !== undefined && later.requests.length > 0
      ? fail('the server heard nothing of the cancellation, and received a later call', placesOf(later))
      : inconclusive('no later call reached the server');
  },
});

/** CALL-011: it settles by itself and harms nobody. */
export const cancelledSettles = scripted({
  id: 'CALL-011/settles-alone',
  invariant: 'CALL-011',
  exercise: cancelOne,
  judge(history): Judgement {
    const call = callFor(history, SLOW);
    if (call === undefined) return uncalled(history, SERVER, SLOW) ?? inconclusive('no call was made');
    const doubted = doubt(
      [call.requests.length > 0, 'the call on the wire'], [call.cancels.length > 0, 'its cancellation'], [call.answer !== undefined, 'its late answer'],
    );
    if (doubted !== undefined) return doubted;
    if (call.outcome === undefined) return fail('a cancelled call never settled', placesOf(call));
    if (replyOf(call)?.outcome === 'ok') return fail('a cancelled call succeeded', placesOf(call));
    if (!before(call.outcome, call.answer)) return fail('a cancelled call settled only when the server answered', placesOf(call));
    const [beside, steady] = [callFor(history, BESIDE), callFor(history, STEADY)];
    return first(
      doubt([beside !== undefined && beside.answer !== undefined, 'an answer to the call beside']),
      echoed(beside) ? undefined : fail('the call beside a cancelled one did not end with its own answer', beside === undefined ? [] : placesOf(beside)),
      steady !== undefined && echoed(steady) ? undefined : fail('a call after the late answer failed', steady === undefined ? [] : placesOf(steady)),
    ) ?? pass('the cancelled call settled before the late answer, the others with their own');
  },
});

/**
 * Calls that take too long.
 */
import type { Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import { paramsOf, received, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { before, callFor, doubt, first, placesOf, replyOf, requestId, uncalled } from '../support/facts.ts';
import { onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, heldAt, openOne, receives, settle } from '../support/steps.ts';

const SERVER = 'endless';
const ENDLESS = 'endless';
const DROPPED = 'dropped';

/** Long enough for a healthy call on a loaded machine, short enough to wait for. */
const TIMEOUT_MS = 600;

/** Timers count whole milliseconds on a clock of their own, so that one may end a little sooner on the clock of histories. */
const TIMER_STEP_MS = 2;

/** How long the cancellation of a call that timed out may take, where nothing is known of it but that it may come. */
const NOTICE_BOUND_MS = 1_000;

/** Cancels one call, lets the other run into its timeout, and calls again: what was due before has come by then. */
async function giveUpTwo(bench: Bench): Promise<void> {
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, ENDLESS), tool(SERVER, DROPPED)], [
    onCall(ENDLESS, [{ hold: ENDLESS }]), onCall(DROPPED, [{ hold: DROPPED }]),
  ]), { toolCallTimeoutMs: TIMEOUT_MS });
  const dropped = await begin(bench, SERVER, DROPPED, { boundMs: 5_000 });
  await bench.wire(server, 'dropped held', heldAt(DROPPED));
  await dropped?.cancel();
  await settle(dropped);
  await bench.flush();
  const endless = await begin(bench, SERVER, ENDLESS, { boundMs: 5_000 });
  const since = server.fixture.records.length;
  await settle(endless);
  await bench.wire(server, 'a cancellation arrived', receives('notifications/cancelled'), { since, boundMs: NOTICE_BOUND_MS });
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

/** CALL-012: the timeout is the configured one, and is not taken for an abort. */
export const timeout = scripted({
  id: 'CALL-012/never-answered',
  invariant: 'CALL-012',
  options: ['toolCallTimeoutMs'],
  exercise: giveUpTwo,
  judge(history): Judgement {
    const [call, dropped] = [callFor(history, ENDLESS), callFor(history, DROPPED)];
    if (call === undefined) return uncalled(history, SERVER, ENDLESS) ?? inconclusive('no call was made');
    const doubted = doubt(
      [call.requests.length > 0, 'the call on the wire'], [call.answer === undefined, 'a server that does not answer'],
      [dropped !== undefined && dropped.requests.length > 0 && dropped.cancels.length > 0, 'a cancelled call'],
    );
    if (doubted !== undefined) return doubted;
    if (call.outcome === undefined) return fail('a call that its server never answers did not settle', placesOf(call));
    const tookMs = call.outcome.event.atMs - call.call.event.atMs;
    const limitMs = TIMEOUT_MS + (subjectOf(history)?.bounds.settleMs ?? 0) + SLACK_MS;
    return first(
      replyOf(call)?.outcome === 'timed-out' ? undefined : fail(`a call that outlived its timeout ended as ${replyOf(call)?.outcome ?? 'nothing'}`, placesOf(call)),
      tookMs >= TIMEOUT_MS - TIMER_STEP_MS ? undefined : fail(`a call with a timeout of ${TIMEOUT_MS} ms was given up after ${tookMs} ms`, placesOf(call)),
      tookMs <= limitMs ? undefined : fail(`a call with a timeout of ${TIMEOUT_MS} ms took ${tookMs} ms`, placesOf(call)),
      replyOf(dropped)?.outcome === 'aborted' || dropped === undefined ? undefined : fail(`a cancelled call ended as ${replyOf(dropped)?.outcome ?? 'nothing'}`, placesOf(dropped)),
    ) ?? pass(`timed out after ${Math.round(tookMs)} ms, the cancelled call as aborted`);
  },
});

/** CALL-040: the server is told of what is given up for its timeout. */
export const timeoutCancelled = scripted({
  id: 'CALL-040/never-answered',
  invariant: 'CALL-040',
  options: ['toolCallTimeoutMs'],
  exercise: giveUpTwo,
  judge(history): Judgement {
    const [call, later] = [callFor(history, ENDLESS), callFor(history, STEADY)];
    if (call === undefined) return uncalled(history, SERVER, ENDLESS) ?? inconclusive('no call was made');
    const doubted = doubt(
      [call.requests.length > 0, 'the call on the wire'], [call.answer === undefined, 'a server that does not answer'],
      [call.outcome !== undefined, 'the end of the call'],
    );
    if (doubted !== undefined) return doubted;
    const id = requestId(call);
    const notice = received(history, SERVER, 'notifications/cancelled').find(({ event, index }) => index > (call.requests[0]?.index ?? 0) && paramsOf(event)['requestId'] === id);
    if (notice !== undefined) return pass('the server was told that the request is given up');
    return later !== undefined && before(call.outcome, later.requests[0])
      ? fail(`the server heard nothing of the end of request ${JSON.stringify(id)}, and received a later call`, [...placesOf(call), ...placesOf(later)])
      : inconclusive('no later call reached the server');
  },
});

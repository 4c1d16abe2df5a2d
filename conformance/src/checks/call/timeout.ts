/**
 * Calls that take too long.
 */
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import type { History } from '../../history/schema.ts';
import { paramsOf, received, subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { byDelivery } from '../support/delivered.ts';
import { before, callFor, doubt, first, placesOf, replyOf, requestId, uncalled } from '../support/facts.ts';
import { openWeb } from '../http/steps.ts';
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

/** Declares the server and opens the subject with it alone. */
type Opener = (bench: Bench, name: string, scenario: ScenarioInput, options: Readonly<Record<string, unknown>>) => Promise<BenchServer>;

/** Cancels one call, lets the other run into its timeout, and calls again: what was due before has come by then. */
function giveUpTwo(opener: Opener): (bench: Bench) => Promise<void> {
  return async (bench) => {
    const server = await opener(bench, SERVER, script(SERVER, [tool(SERVER, ENDLESS), tool(SERVER, DROPPED)], [
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
  };
}

const overStdio = giveUpTwo(openOne);
const overHttp = giveUpTwo(openWeb);

/** CALL-012: the timeout is the configured one, and is not taken for an abort. */
function judgeTimeout(history: History): Judgement {
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
}

/** CALL-040: the server is told of what is given up for its timeout. */
function judgeTold(history: History): Judgement {
  const [call, later] = [callFor(history, ENDLESS), callFor(history, STEADY)];
  if (call === undefined) return uncalled(history, SERVER, ENDLESS) ?? inconclusive('no call was made');
  const doubted = doubt(
    [call.requests.length > 0, 'the call on the wire'], [call.answer === undefined, 'a server that does not answer'],
    [call.outcome !== undefined, 'the end of the call'],
  );
  if (doubted !== undefined) return doubted;
  const id = requestId(call);
  // What a server over HTTP refuses it has not heard.
  const notice = byDelivery(history, received(history, SERVER, 'notifications/cancelled')).taken.find(({ event, index }) => index > (call.requests[0]?.index ?? 0) && paramsOf(event)['requestId'] === id);
  if (notice !== undefined) return pass('the server was told that the request is given up');
  return later !== undefined && before(call.outcome, later.requests[0])
    ? fail(`the server heard nothing of the end of request ${JSON.stringify(id)}, and received a later call`, [...placesOf(call), ...placesOf(later)])
    : inconclusive('no later call reached the server');
}

/** Checks of calls that take too long. */
export const timeoutChecks: readonly Check[] = [
  scripted({ id: 'CALL-012/never-answered', invariant: 'CALL-012', options: ['toolCallTimeoutMs'], exercise: overStdio, judge: judgeTimeout }),
  scripted({ id: 'CALL-012/over-http', invariant: 'CALL-012', transports: ['streamable-http'], options: ['toolCallTimeoutMs'], exercise: overHttp, judge: judgeTimeout }),
  scripted({ id: 'CALL-040/never-answered', invariant: 'CALL-040', options: ['toolCallTimeoutMs'], exercise: overStdio, judge: judgeTold }),
  scripted({ id: 'CALL-040/over-http', invariant: 'CALL-040', transports: ['streamable-http'], options: ['toolCallTimeoutMs'], exercise: overHttp, judge: judgeTold }),
];

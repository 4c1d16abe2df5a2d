/**
 * Calls that take too long.
 */
import { SLACK_MS } from '../../bench/bounds.ts';
import { subjectOf } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callFor, doubt, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { onCall, script, tool } from '../support/scripts.ts';
import { begin, heldAt, openOne, settle } from '../support/steps.ts';

const SERVER = 'endless';
const ENDLESS = 'endless';
const DROPPED = 'dropped';

/** Long enough for a healthy call on a loaded machine, short enough to wait for. */
const TIMEOUT_MS = 600;

/** Timers count whole milliseconds on a clock of their own, so that one may end a little sooner on the clock of histories. */
const TIMER_STEP_MS = 2;

/** CALL-012: the timeout is the configured one, and is not taken for an abort. */
export const timeout = scripted({
  id: 'CALL-012/never-answered',
  invariant: 'CALL-012',
  options: ['toolCallTimeoutMs'],
  async exercise(bench) {
    const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, ENDLESS), tool(SERVER, DROPPED)], [
      onCall(ENDLESS, [{ hold: ENDLESS }]), onCall(DROPPED, [{ hold: DROPPED }]),
    ]), { toolCallTimeoutMs: TIMEOUT_MS });
    const dropped = await begin(bench, SERVER, DROPPED, { boundMs: 5_000 });
    await bench.wire(server, 'dropped held', heldAt(DROPPED));
    await dropped?.cancel();
    await settle(dropped);
    await settle(await begin(bench, SERVER, ENDLESS, { boundMs: 5_000 }));
    await bench.close();
  },
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

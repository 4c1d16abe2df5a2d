/** Streams to listen to that their server ends at once, each time: when they are asked for again (WIRE-042, WIRE-054). */
import type { Action, Rule } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import { nowMs } from '../../history/clock.ts';
import type { History } from '../../history/schema.ts';
import { wireRecords, type At } from '../../history/views.ts';
import type { FrameRecord } from 'mcp-fixture-server/trace';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callsFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { agreedIn, httpRequests, POLLING_SINCE, type HttpRequest } from './requests.ts';
import { openWeb, requestedTimes } from './steps.ts';

const SERVER = 'brief';
const SLOW = 'slow';
/** How long a call takes at the server, in milliseconds: time in which a storm shows. */
const CALL_MS = 150;
const CALLS = 3;
/** Who comes back so soon, in milliseconds, has made no pause. */
const AT_ONCE_MS = 20;
/** So often a subject may: it may try at once, begin with very short pauses, or have a few streams side by side. */
const MOST_AT_ONCE = 8;

/** What the server asks to be waited, in milliseconds: far more than coming back at once takes, and less than a default. */
const RETRY_MS = 400;
/** Timers may fire a little early, and clocks are read in two processes: so much sooner is still in time, in milliseconds. */
const EARLY_MS = 20;
/** How long a subject may take to listen at all, and after `retry` to listen again, in milliseconds. */
const LISTEN_BOUND_MS = 500;
const AGAIN_BOUND_MS = RETRY_MS + 1_000;

const brief = (...said: readonly Action[]): Rule => ({ id: 'ends-at-once', when: { http: 'GET' }, do: [ANSWER, ...said, { closeStream: 'request' }] });

/** Some calls, while each stream to listen to ends as it begins. */
async function exerciseCalls(bench: Bench): Promise<void> {
  await openWeb(bench, SERVER, script(SERVER, [tool(SERVER, SLOW)], [onCall(SLOW, [{ delay: CALL_MS }, ANSWER]), brief()]));
  for (let n = 0; n < CALLS; n += 1) await ask(bench, SERVER, SLOW);
  await bench.flush();
}

/** Each stream says how long to wait before it ends. */
async function exerciseRetry(bench: Bench): Promise<void> {
  const server = await openWeb(bench, SERVER, script(SERVER, [], [brief({ raw: { text: `id: kept\nretry: ${RETRY_MS}\ndata: \n\n` } })]));
  await ask(bench, SERVER, STEADY);
  if (await bench.wire(server, 'the subject listens', requestedTimes('GET'), { boundMs: LISTEN_BOUND_MS })) {
    const sinceMs = nowMs();
    const isBack = await bench.wire(server, 'the subject listens again', requestedTimes('GET', 2), { boundMs: AGAIN_BOUND_MS });
    // It may have had two streams from the beginning; who does not wait comes once more.
    if (isBack && nowMs() - sinceMs < RETRY_MS) await bench.wire(server, 'the subject listens once more', requestedTimes('GET', 3), { boundMs: RETRY_MS });
  }
  await ask(bench, SERVER, STEADY);
  await bench.flush();
}

/** A request for a stream that came when one of the same session had ended, and that end. */
interface ComingBack {
  readonly request: HttpRequest;
  readonly end: At<FrameRecord>;
  readonly tookMs: number;
}

const key = ({ pid, http }: FrameRecord): string => `${pid} ${http?.exchange ?? ''}`;

/** The streams to listen to that the server ended, and who came back for one. */
function endsAndReturns(history: History): { readonly asked: readonly HttpRequest[]; readonly ends: readonly At<FrameRecord>[]; readonly returns: readonly ComingBack[] } {
  const asked = httpRequests(history, SERVER).filter(({ method }) => method === 'GET');
  const bySession = new Map(asked.map((request) => [key(request.event), request.session]));
  const ends = wireRecords(history, 'frame', SERVER).filter(({ event }) => event.direction === 'server-to-client' && event.http?.method === 'GET' && event.http.ended === 'complete');
  const returns = asked.flatMap((request) => {
    const end = ends.findLast(({ index, event }) => index < request.index && event.pid === request.event.pid && bySession.get(key(event)) === request.session);
    return end === undefined ? [] : [{ request, end, tookMs: request.event.atMs - end.event.atMs }];
  });
  return { asked, ends, returns };
}

/** A doubt or a freedom that both judges leave: nothing was called, or nothing was listened to. */
function unseen(asked: readonly HttpRequest[], ends: readonly unknown[], isCalled: boolean): Judgement | undefined {
  return first(
    doubt([isCalled, 'a call']),
    // One that is refused, as it names no session, is none.
    asked.some(({ status }) => status === 200) ? undefined : { verdict: 'not-applicable', message: 'the subject asks for no event stream of its session' },
    doubt([ends.length > 0, 'a stream to listen to that its server ended']),
  );
}

function judgePauses(history: History): Judgement {
  const calls = callsFor(history, SLOW, SERVER);
  if (calls.length === 0) return uncalled(history, SERVER, SLOW) ?? inconclusive('no call was made');
  const { asked, ends, returns } = endsAndReturns(history);
  const atOnce = returns.filter(({ tookMs }) => tookMs < AT_ONCE_MS);
  const failed = calls.find((call) => !echoed(call));
  return first(
    unseen(asked, ends, calls.some(({ requests }) => requests.length > 0)),
    atOnce.length > MOST_AT_ONCE ? fail(`a stream that ends at once was asked for again without a pause, ${atOnce.length} times while ${calls.length} calls were made`, atOnce.map(({ request }) => request.index)) : undefined,
    failed === undefined ? undefined : fail('the stream to listen to ends at once, and a tool cannot be called', placesOf(failed)),
  ) ?? pass(`a stream that ends at once was asked for ${asked.length} times while ${calls.length} calls were made`);
}

function judgeRetry(history: History): Judgement {
  const agreed = agreedIn(history, SERVER);
  const { asked, ends, returns } = endsAndReturns(history);
  const doubted = doubt([agreed !== undefined, 'a handshake']) ?? unseen(asked, ends, callsFor(history, STEADY, SERVER).some(({ requests }) => requests.length > 0));
  if (doubted !== undefined || agreed === undefined) return doubted ?? inconclusive('nothing was agreed');
  if (agreed < POLLING_SINCE) return { verdict: 'not-applicable', message: `the subject goes on in the revision ${agreed}` };
  const hasty = returns.filter(({ tookMs }) => tookMs < RETRY_MS - EARLY_MS);
  // Who names no event may have had a second stream in mind all the time, but no third.
  const worst = hasty.find(({ request }) => (request.headers['last-event-id'] ?? '') !== '') ?? hasty[1];
  if (worst !== undefined) return fail(`the stream was asked for again ${Math.round(worst.tookMs)} ms after its end; its server had asked for ${RETRY_MS} ms`, [worst.end.index, worst.request.index]);
  const patient = returns.filter((one) => !hasty.includes(one));
  if (patient.length === 0) return { verdict: 'not-applicable', message: 'the subject does not come back for a stream that ended' };
  return pass(`the stream was asked for again after ${patient.map(({ tookMs }) => Math.round(tookMs)).join(', ')} ms; its server had asked for ${RETRY_MS} ms`);
}

/** Checks of streams to listen to that end at once. */
export const briefStreamChecks: readonly Check[] = [
  scripted({ id: 'WIRE-054/ends-at-once', invariant: 'WIRE-054', exercise: exerciseCalls, judge: judgePauses }),
  scripted({ id: 'WIRE-042/while-listening', invariant: 'WIRE-042', exercise: exerciseRetry, judge: judgeRetry }),
];

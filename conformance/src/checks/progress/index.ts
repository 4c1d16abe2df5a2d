/** Calls whose servers tell of progress (CALL-034, CALL-035). */
import type { Action } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import type { History } from '../../history/schema.ts';
import { isObject, paramsOf, sent, subjectOf, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, script, tool } from '../support/scripts.ts';
import { begin, heldAt, memberOf, openOne, settle } from '../support/steps.ts';

const SERVER = 'industrious';
const BUSY = 'busy';
const ENDLESS = 'endless';

/** How long a call may be silent, how long it may take in all, and between two notices, in milliseconds. */
const SILENCE_MS = 500;
const TOTAL_MS = 1_500;
const EVERY_MS = 120;
/** Notices until the busy one is done: twice as long as silence may be. */
const ENOUGH = 8;
/** Notices of the endless one: longer than any limit that is judged. */
const MANY = 60;
/** Timers count whole milliseconds on a clock of their own. */
const TIMER_STEP_MS = 2;
const PROGRESS = 'notifications/progress';

/** Under which token the server tells of a call; a made-up one for a call that asked for nothing. */
function tokenOf(server: BenchServer, rawName: string): string | number {
  const request = server.fixture.records.findLast((record) => record.kind === 'frame' && memberOf(memberOf(record.message, 'params'), 'name') === rawName);
  const token = request?.kind === 'frame' ? memberOf(memberOf(memberOf(request.message, 'params'), '_meta'), 'progressToken') : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : 1;
}

function toldTimes(token: string | number, times: number): (record: TraceRecord) => boolean {
  let seen = 0;
  return (record) => {
    if (record.kind === 'frame' && memberOf(record.message, 'method') === PROGRESS && memberOf(memberOf(record.message, 'params'), 'progressToken') === token) seen += 1;
    return seen >= times;
  };
}

const noticesOf = (tokens: readonly (string | number)[], times: number): Action[] => Array.from({ length: times }, (_, at): Action[] => [
  ...tokens.map((progressToken): Action => ({ notify: { method: PROGRESS, params: { progressToken, progress: at + 1 } } })), { delay: EVERY_MS },
]).flat();

async function exerciseAsked(bench: Bench): Promise<void> {
  const rules = [onCall(BUSY, [{ hold: BUSY }, ANSWER]), onCall(ENDLESS, [{ hold: ENDLESS }])];
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, BUSY), tool(SERVER, ENDLESS)], rules), { toolCallTimeoutMs: SILENCE_MS, toolCallMaxTotalMs: TOTAL_MS });
  const busy = await begin(bench, SERVER, BUSY, { boundMs: 8_000 });
  await bench.wire(server, 'the busy one is called', heldAt(BUSY));
  const endless = await begin(bench, SERVER, ENDLESS, { boundMs: 8_000 });
  await bench.wire(server, 'the endless one is called', heldAt(ENDLESS));
  const token = tokenOf(server, BUSY);
  await server.fixture.do(noticesOf([token, tokenOf(server, ENDLESS)], ENOUGH));
  await bench.wire(server, 'it told enough', toldTimes(token, ENOUGH));
  await server.fixture.release(BUSY);
  await server.fixture.do(noticesOf([tokenOf(server, ENDLESS)], MANY - ENOUGH));
  await settle(busy);
  await settle(endless);
  await bench.flush();
}

async function exerciseUnasked(bench: Bench): Promise<void> {
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, ENDLESS)], [onCall(ENDLESS, [{ hold: ENDLESS }])]), { toolCallTimeoutMs: SILENCE_MS });
  const endless = await begin(bench, SERVER, ENDLESS, { boundMs: 8_000 });
  await bench.wire(server, 'the endless one is called', heldAt(ENDLESS));
  await server.fixture.do(noticesOf([tokenOf(server, ENDLESS)], MANY));
  await settle(endless);
  await bench.flush();
}

/** The longest time without a word about a call, from its request to `untilMs`, in milliseconds. */
function longestSilenceMs(history: History, call: PairedCall, untilMs: number): number {
  const [request] = call.requests;
  if (request === undefined) return Number.POSITIVE_INFINITY;
  const meta = paramsOf(request.event)['_meta'];
  const token = isObject(meta) ? meta['progressToken'] : 1;
  const words = sent(history, SERVER, PROGRESS).filter(({ event }) => paramsOf(event)['progressToken'] === token).map(({ event }) => event.atMs);
  const times = [request.event.atMs, ...words.filter((atMs) => atMs < untilMs), untilMs];
  return Math.max(...times.slice(1).map((atMs, at) => atMs - (times[at] ?? atMs)));
}

const tookMs = (call: PairedCall): number => (call.outcome?.event.atMs ?? Number.POSITIVE_INFINITY) - call.call.event.atMs;

/** A call that never is answered, and is told of again and again, ends at its limit, timed out. */
function endsAt(history: History, call: PairedCall, limitMs: number): Judgement | undefined {
  const latestMs = limitMs + (subjectOf(history)?.bounds.settleMs ?? 0) + SLACK_MS;
  const took = tookMs(call);
  return first(
    doubt([call.requests.length > 0 && call.answer === undefined, 'a call that is not answered']),
    took <= latestMs ? undefined : fail(`a call with a limit of ${limitMs} ms did not end within ${latestMs} ms, as it was told of again and again`, placesOf(call)),
    replyOf(call)?.outcome === 'timed-out' ? undefined : fail(`a call that outlived its limit ended as ${replyOf(call)?.outcome ?? 'nothing'}`, placesOf(call)),
    took >= limitMs - TIMER_STEP_MS ? undefined
      : longestSilenceMs(history, call, call.outcome?.event.atMs ?? 0) >= SILENCE_MS - TIMER_STEP_MS ? inconclusive('the server was silent for longer than it meant to be')
        : fail(`a call with a limit of ${limitMs} ms was given up after ${Math.round(took)} ms`, placesOf(call)),
  );
}

function judgeAsked(history: History): Judgement {
  const [busy, endless] = [callFor(history, BUSY), callFor(history, ENDLESS)];
  if (busy === undefined) return uncalled(history, SERVER, BUSY) ?? inconclusive('no call was made');
  if (endless === undefined) return uncalled(history, SERVER, ENDLESS) ?? inconclusive('no endless call was made');
  const [request] = busy.requests;
  const meta = request === undefined ? undefined : paramsOf(request.event)['_meta'];
  if (request !== undefined && !(isObject(meta) && meta['progressToken'] !== undefined)) return fail('the entry allows more time with progress, and the call does not ask for any', placesOf(busy));
  const answeredMs = busy.answer?.event.atMs ?? 0;
  const doubted = doubt(
    [busy.answer !== undefined && request !== undefined && answeredMs - request.event.atMs > SILENCE_MS, 'an answer that came later than silence may last'],
    [longestSilenceMs(history, busy, answeredMs) < SILENCE_MS, 'progress again and again until then'],
  );
  return doubted ?? first(
    echoed(busy) ? undefined : fail(`a call that was told of again and again ended as ${replyOf(busy)?.outcome ?? 'nothing'}`, placesOf(busy)), endsAt(history, endless, TOTAL_MS),
  ) ?? pass(`alive for ${Math.round(tookMs(busy))} ms by its progress, and ended after ${Math.round(tookMs(endless))} ms`);
}

function judgeUnasked(history: History): Judgement {
  const endless = callFor(history, ENDLESS);
  if (endless === undefined) return uncalled(history, SERVER, ENDLESS) ?? inconclusive('no call was made');
  return first(doubt([sent(history, SERVER, PROGRESS).length > 1, 'progress']), endsAt(history, endless, SILENCE_MS)) ?? pass(`ended after ${Math.round(tookMs(endless))} ms, whatever it was told`);
}

/** Checks of progress. */
export const progressChecks: readonly Check[] = [
  scripted({ id: 'CALL-034/alive-and-endless', invariant: 'CALL-034', options: ['toolCallTimeoutMs', 'toolCallMaxTotalMs'], exercise: exerciseAsked, judge: judgeAsked }),
  scripted({ id: 'CALL-035/nobody-asked', invariant: 'CALL-035', options: ['toolCallTimeoutMs'], exercise: exerciseUnasked, judge: judgeUnasked }),
];

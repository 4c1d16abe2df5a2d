/** Answers whose streams end after an event with an id, and who asks for the rest (CALL-032, WIRE-053). */
import type { Action } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { faultsFired, wireRecords, type At, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, settle } from '../support/steps.ts';
import { agreedIn, httpRequests, POLLING_SINCE, type HttpRequest } from './requests.ts';
import { openWeb, patience } from './steps.ts';

const SERVER = 'breaking';
const RESUMED = 'resumed';
const AGAIN = 'again';
/** How long a subject may take to come back before the server goes on alone, in milliseconds: it asked for ten. */
const COMING_BACK_MS = 2_000;

const told = (data: string): Action => ({ notify: { method: 'notifications/message', params: { level: 'info', data } } });
const BROKEN: Action = { cut: 'request' };
const ENDED: Action = { closeStream: 'request' };
const BREAKS: ReadonlySet<string> = new Set(['cut', 'closeStream']);

/** Whether a record is a request for the rest of a stream. */
const resumes = (record: TraceRecord): boolean =>
  record.kind === 'frame' && record.direction === 'client-to-server' && record.http?.method === 'GET' && record.http.requestHeaders?.['last-event-id'] !== undefined;

/** A call whose answer comes by more than one stream; where the script holds, it goes on when the subject has come back. */
function exercise(...actions: readonly Action[]): (bench: Bench) => Promise<void> {
  return async (bench) => {
    const rules = [onCall(RESUMED, [told('begun'), ...actions, ANSWER])];
    const server = await openWeb(bench, SERVER, script(SERVER, [tool(SERVER, RESUMED)], rules, { http: { eventIds: true, retryMs: 10 } }), patience(bench));
    await ask(bench, SERVER, STEADY);
    const call = await begin(bench, SERVER, RESUMED);
    if (call !== undefined && actions.some((action) => 'hold' in action)) {
      await bench.wire(server, 'the subject asks for the rest', resumes, { boundMs: COMING_BACK_MS });
      await server.fixture.release(AGAIN);
    }
    await settle(call);
    await bench.flush();
  };
}

/** The events with an id that came by the streams of an answer: its own, and those by which the rest was asked for. */
function eventsFor(history: History, call: PairedCall): At<string>[] {
  const requests = new Map(httpRequests(history, SERVER).map((request) => [`${request.event.pid} ${request.event.http?.exchange ?? ''}`, request]));
  const own = call.requests[0]?.event;
  const ids: At<string>[] = [];
  for (const { index, event } of wireRecords(history, 'frame', SERVER)) {
    const id = event.http?.event ?? '';
    if (event.direction !== 'server-to-client' || id === '') continue;
    const isOwn = event.pid === own?.pid && event.http?.exchange === own.http?.exchange;
    const asked = requests.get(`${event.pid} ${event.http?.exchange ?? ''}`)?.headers['last-event-id'];
    if (isOwn || ids.some((known) => known.event === asked)) ids.push({ index, event: id });
  }
  return ids;
}

const names = (id: string | undefined, since: number) => ({ index, headers }: HttpRequest): boolean => index > since && headers['last-event-id'] === id;

/** What all of them judge: after each of so many breaks the newest event is named, and in the end the answer is there. */
function judge(history: History, breaks: number): Judgement {
  const call = callFor(history, RESUMED, SERVER);
  if (call === undefined) return uncalled(history, SERVER, RESUMED) ?? inconclusive('no call was made');
  const broken = faultsFired(history, SERVER, `on-${RESUMED}`).filter(({ event }) => BREAKS.has(event.action));
  const events = eventsFor(history, call);
  const newest = broken.map(({ index }) => events.findLast((one) => one.index < index)?.event);
  const doubted = doubt([broken.length >= breaks && newest[0] !== undefined, `${breaks === 1 ? 'a stream' : 'streams'} that ended after an event with an id`]);
  if (doubted !== undefined) return doubted;
  const asking = httpRequests(history, SERVER).filter(({ method }) => method === 'GET');
  return first(
    call.requests.length > 1 ? fail(`a call whose stream ended before the answer was sent ${call.requests.length} times`, placesOf(call)) : undefined,
    ...broken.map(({ index }, at) => {
      // Who came back too late for the second break met one only.
      if (at > 0 && newest[at] === newest[at - 1]) return inconclusive('not in the history: an event between two breaks');
      return asking.some(names(newest[at], index)) ? undefined : fail(`nobody asked for what comes after the event ${JSON.stringify(newest[at])}`, [index, ...placesOf(call)]);
    }),
    echoed(call) ? undefined : fail('the answer of a stream that can be resumed was not delivered', placesOf(call)),
  ) ?? pass(`the stream was resumed after its last event${breaks === 1 ? '' : `, ${breaks} times`}, and the answer delivered`);
}

function judgePolled(history: History): Judgement {
  const agreed = agreedIn(history, SERVER);
  // Before, a server was not to end a stream before the answer.
  if (agreed !== undefined && agreed < POLLING_SINCE) return { verdict: 'not-applicable', message: `the subject goes on in the revision ${agreed}` };
  return judge(history, 1);
}

/** Checks of answers whose streams are resumed. */
export const resumedAnswerChecks: readonly Check[] = [
  scripted({ id: 'CALL-032/after-an-event', invariant: 'CALL-032', exercise: exercise(BROKEN), judge: (history) => judge(history, 1) }),
  scripted({ id: 'CALL-032/breaks-twice', invariant: 'CALL-032', exercise: exercise(BROKEN, { hold: AGAIN }, told('going on'), BROKEN), judge: (history) => judge(history, 2) }),
  scripted({ id: 'WIRE-053/ended-to-be-polled', invariant: 'WIRE-053', exercise: exercise(ENDED), judge: judgePolled }),
];

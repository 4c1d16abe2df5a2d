/** Requests over HTTP that are never answered: for an event stream (WIRE-055), at a start (CONNECTION-050). */
import type { Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import type { History } from '../../history/schema.ts';
import { answerTo, eventsOf, faultsFired, received, settledSteps, wireRecords, type At } from '../../history/views.ts';
import type { FrameRecord } from 'mcp-fixture-server/trace';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, startMessages } from '../support/facts.ts';
import { onMethod, script, STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { httpRequests } from './requests.ts';
import { openWeb } from './steps.ts';

const SERVER = 'silent';
const UNHEARD = 'no-head';

/** Far more than a start takes, in milliseconds: who waits for the stream gives up then, and need not be waited for longer. */
const PATIENT_MS = 4_000;
/** The limit at which a start is given up, in milliseconds. */
const LIMIT_MS = 300;
/** Timers count whole milliseconds on a clock of their own, so that one may end a little sooner on the clock of histories. */
const TIMER_STEP_MS = 2;

/** Options of these names, where the subject honours them. */
function limitsOf({ subject }: Bench, limitMs: number, ...names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.filter((name) => subject.options.includes(name)).map((name) => [name, limitMs]));
}

/** No request for an event stream gets so much as a status, as behind a proxy that waits for the first event. */
async function exerciseStream(bench: Bench): Promise<void> {
  await openWeb(bench, SERVER, script(SERVER, [], [{ id: UNHEARD, when: { http: 'GET' }, do: [{ drop: true }] }]), limitsOf(bench, PATIENT_MS, 'connectTimeoutMs', 'discoveryTimeoutMs', 'syncTimeoutMs'));
  await ask(bench, SERVER, STEADY);
  await bench.flush();
}

function judgeStream(history: History): Judgement {
  const asked = httpRequests(history, SERVER).filter(({ method }) => method === 'GET');
  const call = callFor(history, STEADY, SERVER);
  const dropped = faultsFired(history, SERVER, UNHEARD);
  if (call !== undefined && asked.length === 0) {
    return call.requests.length > 0 ? { verdict: 'not-applicable', message: 'the subject asks for no event stream' } : inconclusive('not in the history: a call that reached the server');
  }
  const places = asked.map(({ index }) => index);
  return first(
    doubt([asked.length > 0 && dropped.length > 0, 'a request for an event stream that is never answered']),
    settledSteps(history, 'open').length > 0 ? undefined : fail('a request for an event stream is not answered, and opening never settles', places),
    call === undefined ? fail('a request for an event stream is not answered, and no tool is offered', places) : undefined,
    call === undefined || echoed(call) ? undefined : fail('a request for an event stream is not answered, and a tool cannot be called', [...places, ...placesOf(call)]),
  ) ?? pass('a request for an event stream is not answered, and the tools are offered and called');
}

/** What is never answered at a start, and the limit that ends it. */
const STUCK = { 'no-handshake': { method: 'initialize', limit: 'connectTimeoutMs' }, 'no-list': { method: 'tools/list', limit: 'discoveryTimeoutMs' } } as const;
type Stuck = keyof typeof STUCK;

function exerciseStart(what: Stuck): (bench: Bench) => Promise<void> {
  const { method, limit } = STUCK[what];
  return async (bench) => {
    const off = bench.subject.options.includes('reconnect') ? { reconnect: { enabled: false } } : {};
    await openWeb(bench, SERVER, script(SERVER, [], [onMethod(method, [{ drop: true }])]), { [limit]: LIMIT_MS, ...off });
    await bench.close();
  };
}

/** When the subject gave a request up: it hung up, or opening settled. */
function givenUpAtMs(history: History, { event }: At<FrameRecord>, settledAtMs: number): number {
  const cut = wireRecords(history, 'frame', SERVER).find(({ event: { pid, http } }) => http?.ended === 'cut' && pid === event.pid && http.exchange === event.http?.exchange);
  return Math.min(settledAtMs, cut?.event.atMs ?? Number.POSITIVE_INFINITY);
}

function judgeStart(history: History, what: Stuck): Judgement {
  const { method, limit } = STUCK[what];
  const asked = eventsOf(history, 'request').find(({ event }) => event.step === 'open');
  const stuck = received(history, SERVER, method)[0];
  if (asked === undefined || stuck === undefined || answerTo(history, stuck) !== undefined) return inconclusive(`not in the history: ${method} that is never answered`);
  const settled = settledSteps(history, 'open')[0];
  if (settled === undefined) return fail(`opening never settled, ${method} is not answered`, [asked.index, stuck.index]);
  const reply = settled.event.servers.find(({ name }) => name === SERVER);
  if (reply === undefined || reply.status === 'ready') return fail(`the server is said to be ${reply?.status ?? 'nothing'} although ${limit} was over`, [settled.index]);
  // A subject begins to count later than this, so what is too short is too short.
  const [shaken] = received(history, SERVER, 'initialize');
  const earliestMs = (what === 'no-list' && shaken !== undefined ? answerTo(history, shaken)?.event.atMs : undefined) ?? asked.event.atMs;
  const endMs = givenUpAtMs(history, stuck, settled.event.atMs);
  const [mostMs, leastMs] = [endMs - earliestMs, endMs - stuck.event.atMs];
  return first(
    leastMs > LIMIT_MS + SLACK_MS ? fail(`${method} was given up after ${Math.round(leastMs)} ms, ${limit} is ${LIMIT_MS}`, [stuck.index, settled.index]) : undefined,
    mostMs < LIMIT_MS - TIMER_STEP_MS ? fail(`${method} was given up after ${Math.round(mostMs)} ms at most, ${limit} is ${LIMIT_MS}`, [stuck.index, settled.index]) : undefined,
    new RegExp(`${limit}|(?<!\\d)${LIMIT_MS}(?!\\d)`).test(startMessages(history, SERVER)) ? undefined : fail(`nothing says that a limit of ${LIMIT_MS} ms was over`, [settled.index]),
  ) ?? pass(`${method} was given up at its limit`);
}

/** Checks of requests that are never answered. */
export const silenceChecks: readonly Check[] = [
  scripted({ id: 'WIRE-055/no-head', invariant: 'WIRE-055', exercise: exerciseStream, judge: judgeStream }),
  scripted({ id: 'CONNECTION-050/no-handshake', invariant: 'CONNECTION-050', options: ['connectTimeoutMs'], exercise: exerciseStart('no-handshake'), judge: (history) => judgeStart(history, 'no-handshake') }),
  scripted({ id: 'CONNECTION-050/no-list', invariant: 'CONNECTION-050', options: ['discoveryTimeoutMs'], exercise: exerciseStart('no-list'), judge: (history) => judgeStart(history, 'no-list') }),
];

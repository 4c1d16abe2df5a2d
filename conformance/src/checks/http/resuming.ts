/** Requests for event streams: what they accept (WIRE-041), and when they come back (WIRE-042). */
import type { Action } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { wireRecords } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { doubt, first } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { agreedIn, httpRequests, POLLING_SINCE } from './requests.ts';
import { openWeb } from './steps.ts';

const SERVER = 'pausing';
const POLLED = 'polled';
/** What the server asks to be waited, in milliseconds: far more than coming back at once takes, and less than a default. */
const RETRY_MS = 400;
/** Timers may fire a little early, and clocks are read in two processes: so much sooner is still in time, in milliseconds. */
const EARLY_MS = 20;
const BEGUN: Action = { notify: { method: 'notifications/message', params: { level: 'info', data: 'begun' } } };

/** The server ends the stream of a call before the answer, which it gives to who comes back for it. */
async function exercise(bench: Bench): Promise<void> {
  const rules = [onCall(POLLED, [BEGUN, { closeStream: 'request' }, ANSWER])];
  await openWeb(bench, SERVER, script(SERVER, [tool(SERVER, POLLED)], rules, { http: { eventIds: true, retryMs: RETRY_MS } }));
  await ask(bench, SERVER, STEADY);
  await ask(bench, SERVER, POLLED);
  await bench.flush();
}

function judgeRetry(history: History): Judgement {
  const agreed = agreedIn(history, SERVER);
  const all = wireRecords(history, 'frame', SERVER).filter(({ event }) => event.direction === 'server-to-client');
  // The first event of each stream says how long; who got none was told nothing.
  const ended = all.filter(({ event }) => event.http?.method === 'POST' && event.http.ended === 'complete');
  const pauses = httpRequests(history, SERVER).flatMap((request) => {
    const lastId = request.method === 'GET' ? request.headers['last-event-id'] : undefined;
    const told = lastId === undefined ? undefined : all.findLast(({ index, event }) => index < request.index && event.http?.method === 'POST' && event.http.event === lastId);
    const end = told === undefined ? undefined : ended.findLast(({ index, event }) => index < request.index && event.pid === told.event.pid && event.http?.exchange === told.event.http?.exchange);
    return end === undefined ? [] : [{ request, end, tookMs: request.event.atMs - end.event.atMs }];
  });
  const doubted = doubt([agreed !== undefined, 'a handshake'], [ended.some(({ event }) => all.some((one) => one.event.http?.exchange === event.http?.exchange && (one.event.http?.event ?? '') !== '')), 'a stream with an event that has an id, ended by the server']);
  if (doubted !== undefined || agreed === undefined) return doubted ?? inconclusive('nothing was agreed');
  if (agreed < POLLING_SINCE) return { verdict: 'not-applicable', message: `the subject goes on in the revision ${agreed}` };
  const hasty = pauses.find(({ tookMs }) => tookMs < RETRY_MS - EARLY_MS);
  if (hasty !== undefined) return fail(`the stream was asked for again ${Math.round(hasty.tookMs)} ms after its end; its server had asked for ${RETRY_MS} ms`, [hasty.end.index, hasty.request.index]);
  if (pauses.length === 0) return { verdict: 'not-applicable', message: 'the subject does not come back for a stream that ended' };
  return pass(`the stream was asked for again after ${pauses.map(({ tookMs }) => Math.round(tookMs)).join(', ')} ms; its server had asked for ${RETRY_MS} ms`);
}

/** Whether a header lists event streams, or whatever comes. */
const listsStreams = (accept: string): boolean => accept.split(',').map((one) => one.split(';')[0]?.trim().toLowerCase()).some((type) => type === 'text/event-stream' || type === 'text/*' || type === '*/*');

function judgeAccept(history: History): Judgement {
  const requests = httpRequests(history, SERVER);
  const asked = requests.filter(({ method }) => method === 'GET');
  const other = asked.find(({ headers }) => !listsStreams(headers['accept'] ?? ''));
  return first(
    doubt([requests.some(({ rpc }) => rpc === 'tools/call'), 'a call']),
    other === undefined ? undefined : fail(`a request for an event stream accepts ${JSON.stringify(other.headers['accept'] ?? 'nothing')}`, [other.index]),
    asked.length > 0 ? undefined : { verdict: 'not-applicable', message: 'the subject asks for no event stream' },
  ) ?? pass(`${asked.length} requests for an event stream accept one`);
}

/** Checks of requests for event streams. */
export const resumingChecks: readonly Check[] = [
  scripted({ id: 'WIRE-041/each-get', invariant: 'WIRE-041', exercise, judge: judgeAccept }),
  scripted({ id: 'WIRE-042/after-retry', invariant: 'WIRE-042', exercise, judge: judgeRetry }),
];

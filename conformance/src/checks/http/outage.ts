/** An outage over HTTP: when its attempts begin, how many there are, and what calls meet meanwhile (CONNECTION-042, CONNECTION-043). */
import type { Rule } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import { mark, type Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import { awaiting } from '../../bench/waits.ts';
import type { History } from '../../history/schema.ts';
import { barrierOf, lastRegistry, registrySnapshots, subjectOf, wireRecords, type At } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { linesAbout, publicNamesOf, requestsOf, toolsGone } from '../connection/outage-facts.ts';
import { ATTEMPT_SLACK_MS, dueDelayMs, policyOf } from '../connection/schedule.ts';
import { AWAITED, QUIET } from '../connection/steps.ts';
import { callsFor, doubt, echoed, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { script, STEADY } from '../support/scripts.ts';
import { ask, memberOf, settle } from '../support/steps.ts';
import { httpRequests } from './requests.ts';
import { openWeb } from './steps.ts';

const SERVER = 'overloaded';
const GONE = 'its tools are gone';
/** Half a second until the last attempt: time to call before it, also on a slow machine. */
const RECONNECT = { initialDelayMs: 50, maxDelayMs: 200, maxAttempts: 4 } as const;
/** Added to what is due, in milliseconds: a timer of a busy process fires so much late. */
const MARGIN_MS = 100;
const CALLS = 2;
/** Requests of a session that is over get 404 and handshakes get this, so that each attempt is seen. */
const REFUSES: Rule = { id: 'overloaded', when: { method: 'initialize' }, do: [{ respond: { status: 503 } }] };

/** So many handshakes were begun, counted from the first record that is looked at. */
function handshakes(times: number): (record: TraceRecord) => boolean {
  let seen = 0;
  return awaiting({ received: 'initialize' }, (record) => {
    if (record.kind === 'frame' && record.direction === 'client-to-server' && memberOf(record.message, 'method') === 'initialize') seen += 1;
    return seen >= times;
  });
}

async function exercise(bench: Bench): Promise<void> {
  const server = await openWeb(bench, SERVER, script(SERVER, []), { reconnect: RECONNECT });
  await ask(bench, SERVER, STEADY);
  const found = await bench.find(STEADY, SERVER);
  if (found === undefined) return;
  const call = async (): Promise<void> => {
    await settle(bench.start({ tool: found, server: SERVER, rawName: STEADY, arguments: {}, boundMs: bench.subject.bounds.settleMs + SLACK_MS }));
  };
  await server.program(script(SERVER, [], [REFUSES]));
  const since = server.fixture.records.length;
  await server.fixture.do([{ restart: true }]);
  // Who does not listen finds it out by this one, which may itself be kept.
  const finding = call();
  finding.catch(() => undefined);
  await bench.wire(server, 'an attempt is made', handshakes(1), { since });
  for (let n = 0; n < CALLS; n += 1) await call();
  await finding;
  await bench.look();
  await bench.wire(server, AWAITED, handshakes(RECONNECT.maxAttempts), { since });
  await bench.registry(GONE, (tools) => tools.every(({ description }) => !description.includes(mark(SERVER, STEADY))));
  await bench.wire(server, QUIET, handshakes(RECONNECT.maxAttempts + 1), { since, boundMs: RECONNECT.maxDelayMs + MARGIN_MS });
  await bench.look();
  await server.program(script(SERVER, []));
  if (bench.subject.features.includes('reload')) {
    await bench.reload(SERVER);
    await ask(bench, SERVER, STEADY);
  }
  await bench.close();
}

/** One attempt: its handshake, and where it was refused. */
interface Attempt {
  readonly begun: At<TraceRecord>;
  readonly refused: At<TraceRecord> | undefined;
}

/** The loss, and the attempts before anybody asks for something else; a judgement where there is no loss. */
function outageIn(history: History): { readonly lost: At<TraceRecord>; readonly attempts: readonly Attempt[]; readonly until: number } | Judgement {
  const [healthy] = callsFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const lost = wireRecords(history, 'process', SERVER).find(({ event }) => event.event === 'restart');
  const doubted = doubt([echoed(healthy), 'a healthy call before the loss'], [lost !== undefined && lost.index > healthy.call.index, 'the loss of the server']);
  if (doubted !== undefined || lost === undefined) return doubted ?? inconclusive('nothing was lost');
  const until = (requestsOf(history, 'reload')[0] ?? requestsOf(history, 'close')[0])?.index ?? history.length;
  const answers = wireRecords(history, 'frame', SERVER).filter(({ event }) => event.direction === 'server-to-client' && event.http?.status !== undefined);
  const attempts = httpRequests(history, SERVER).filter(({ index, rpc }) => rpc === 'initialize' && index > lost.index && index < until)
    .map((begun) => ({ begun, refused: answers.find(({ event }) => event.http?.exchange === begun.event.http?.exchange) }));
  return { lost, attempts, until };
}

/** What is wrong with the pause before the n-th attempt, from 1. Nobody can know of a refusal before it was sent, nor of a loss before it was. */
function judgePause(history: History, lost: At<TraceRecord>, attempts: readonly Attempt[], n: number): Judgement | undefined {
  const own = attempts[n - 1];
  const end = n === 1 ? lost : attempts[n - 2]?.refused;
  if (own === undefined || end === undefined) return inconclusive(`not in the history: the end of attempt ${n - 1}`);
  const due = dueDelayMs(policyOf(history, SERVER), n);
  const pauseMs = own.begun.event.atMs - end.event.atMs;
  const places = [end.index, own.begun.index];
  if (pauseMs < due) return fail(`attempt ${n} began ${pauseMs.toFixed(1)} ms after the end of what was before it, due were ${due} ms`, places);
  // When a loss is noticed is a matter of its own.
  return n > 1 && pauseMs > due + ATTEMPT_SLACK_MS ? fail(`attempt ${n} began only ${Math.round(pauseMs)} ms after the one before it had failed, due were ${due} ms`, places) : undefined;
}

function judgeAttempts(history: History): Judgement {
  const outage = outageIn(history);
  if ('verdict' in outage) return outage;
  const { lost, attempts, until } = outage;
  const { maxAttempts } = policyOf(history, SERVER);
  const [awaited, gone, quiet] = [barrierOf(history, AWAITED), barrierOf(history, GONE), barrierOf(history, QUIET)];
  const last = attempts.at(-1);
  const error = linesAbout(history, SERVER, 'error').find(({ index }) => index > (last?.begun.index ?? 0) && index < until);
  const reload = requestsOf(history, 'reload')[0];
  const late = callsFor(history, STEADY, SERVER).at(-1);
  return first(
    ...attempts.slice(0, maxAttempts).map((_, at) => judgePause(history, lost, attempts, at + 1)),
    attempts.length > maxAttempts ? fail(`${attempts.length} attempts were made in one outage, allowed were ${maxAttempts}`, attempts.map(({ begun }) => begun.index)) : undefined,
    doubt([awaited !== undefined, 'a wait for the last attempt']),
    attempts.length < maxAttempts ? fail(`only ${attempts.length} attempts were made in the outage, due were ${maxAttempts}`, [lost.index, awaited?.index ?? 0]) : undefined,
    doubt([gone !== undefined, 'a wait for the tools to go'], [quiet !== undefined, 'a wait for what should not come']),
    toolsGone(history, SERVER, until),
    error === undefined ? fail('no error says that the server was given up', last === undefined ? [] : [last.begun.index]) : undefined,
    reload === undefined || echoed(late) ? undefined : fail('after a reload the server cannot be called', [reload.index]),
  ) ?? pass(`exactly ${maxAttempts} attempts, each when it was due, and then nothing${reload === undefined ? '' : ' until the reload'}`);
}

function judgeCalls(history: History): Judgement {
  const outage = outageIn(history);
  if ('verdict' in outage) return outage;
  const { attempts } = outage;
  const { maxAttempts } = policyOf(history, SERVER);
  const refused = attempts[0]?.refused?.index ?? history.length;
  // With the last attempt the outage may be over for the subject.
  const over = attempts[Math.min(maxAttempts, attempts.length) - 1]?.begun.index ?? history.length;
  // A call that was sent before the first attempt met the loss itself.
  const calls = callsFor(history, STEADY, SERVER).filter(({ call, requests }) => call.index > outage.lost.index && call.index < over && requests.every(({ index }) => index > refused))
    .filter(({ call, outcome }) => call.index > refused || (outcome?.index ?? history.length) > refused);
  const limitMs = (subjectOf(history)?.bounds.settleMs ?? 0) + SLACK_MS;
  const names = publicNamesOf(history, SERVER);
  const [silent, queued, odd, hidden] = [
    calls.find(({ call, outcome }) => outcome === undefined || outcome.event.atMs - call.event.atMs > limitMs),
    calls.find(({ requests }) => requests.length > 0),
    calls.find((call) => replyOf(call)?.outcome === 'ok' || replyOf(call)?.executed !== 'no'),
    registrySnapshots(history).find(({ index, event }) => index > outage.lost.index && index < over && event.tools.every(({ name }) => !names.has(name))),
  ];
  return first(
    doubt([calls.length > 0, 'a call in the outage'], [lastRegistry(history, over) !== undefined, 'a look at the registry']),
    silent === undefined ? undefined : fail('a call in the outage did not fail at once', placesOf(silent)),
    queued === undefined ? undefined : fail('a call in the outage was kept and sent later', placesOf(queued)),
    odd === undefined ? undefined : fail(`a call in the outage, which was never sent, ended as ${replyOf(odd)?.outcome ?? ''}, executed: ${replyOf(odd)?.executed ?? ''}`, placesOf(odd)),
    hidden === undefined ? undefined : fail('the tools were taken away while the server was still tried', [hidden.index]),
  ) ?? pass(`${calls.length} calls in the outage failed at once and were never sent; the tools stayed`);
}

/** Checks of outages over HTTP. */
export const webOutageChecks: readonly Check[] = [
  scripted({ id: 'CONNECTION-042/refused-handshakes', invariant: 'CONNECTION-042', options: ['reconnect'], exercise, judge: judgeAttempts }),
  scripted({ id: 'CONNECTION-043/refused-handshakes', invariant: 'CONNECTION-043', options: ['reconnect'], exercise, judge: judgeCalls }),
];

/** What is told of the state of a server, at moments when it is known (CONNECTION-040). */
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import { nowMs } from '../../history/clock.ts';
import type { EventOf, History } from '../../history/schema.ts';
import { barrierOf, eventsOf, registrySnapshots, type At } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { livesOf } from '../connection/lives.ts';
import { lose, recovered, RECOVERED } from '../connection/steps.ts';
import { callsFor, doubt, echoed, first, uncalled } from '../support/facts.ts';
import { onSpawn, script, STEADY, tool } from '../support/scripts.ts';
import { ask, openOne, tellState } from '../support/steps.ts';

const SERVER = 'moody-state';
/** How long an outage lasts, in milliseconds: long enough to look at it. */
const OUTAGE_MS = 700;
/** The barrier of a wait for the end of all attempts. */
const GIVEN_UP = 'the server is said to have failed';
const GIVEN_UP_BOUND_MS = 3_000;
const LOOK_EVERY_MS = 25;
/** The looks at the state while attempts fail, and how many there are. */
const TRIED = 'attempts fail';
const ATTEMPTS = 2;

type State = EventOf<'state'>['servers'][number];

/** Asks for the state and then looks at the registry, so that a judge can hold one against the other. */
async function tell(bench: Bench, moment: string): Promise<State | undefined> {
  const servers = await tellState(bench, moment);
  await bench.look();
  return servers.find(({ name }) => name === SERVER);
}

async function exerciseOutage(bench: Bench): Promise<void> {
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, 'other')]), { reconnect: { initialDelayMs: OUTAGE_MS, maxDelayMs: OUTAGE_MS } });
  await ask(bench, SERVER, STEADY);
  await tell(bench, 'opened');
  await lose(bench, server);
  // It comes back when the loss is known.
  await ask(bench, SERVER, STEADY, { boundMs: 2_000 });
  await tell(bench, 'in the outage');
  await recovered(bench, server, RECOVERED, bench.subject.bounds.reconnectMs + SLACK_MS);
  await ask(bench, SERVER, STEADY);
  await tell(bench, 'recovered');
  if (bench.subject.servers !== 'dynamic') return;
  await bench.remove(SERVER);
  await tell(bench, 'removed');
}

async function exerciseGivenUp(bench: Bench): Promise<void> {
  const dying = onSpawn([{ exit: 9 }]);
  const rules = [{ ...dying, when: { spawn: true as const, incarnation: { from: 2 } } }];
  const options = { reconnect: { initialDelayMs: 60, maxDelayMs: 120, maxAttempts: ATTEMPTS } };
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, 'other')], rules, { countFrom: 'spawn' }), options);
  await ask(bench, SERVER, STEADY);
  await tell(bench, 'opened');
  await lose(bench, server);
  const deadlineMs = nowMs() + GIVEN_UP_BOUND_MS;
  let reached = false;
  while (!reached && nowMs() < deadlineMs) {
    reached = (await tellState(bench, TRIED)).some(({ name, state }) => name === SERVER && state === 'failed');
    if (!reached) await wait(LOOK_EVERY_MS);
  }
  bench.record({ atMs: nowMs(), kind: 'barrier', what: GIVEN_UP, reached, boundMs: GIVEN_UP_BOUND_MS });
  await tell(bench, 'given up');
}

/** A judgement of one moment; `undefined` when it is as it should be. */
function judgeMoment(history: History, moment: string, due: readonly State['state'][], needs: { readonly why?: boolean } = {}): Judgement | undefined {
  const told = stateAt(history, moment);
  const look = told === undefined ? undefined : registrySnapshots(history).find(({ index, event }) => index > told.index && event.cause === 'looked');
  if (told === undefined || look === undefined) return inconclusive(`not in the history: the state and the registry when ${moment}`);
  const { index } = told;
  const state = told.event.servers.find(({ name }) => name === SERVER);
  if (state === undefined) return fail(`nothing is told of the server when ${moment}`, [index]);
  return first(
    due.includes(state.state) ? undefined : fail(`when ${moment} the server is told to be ${state.state}`, [index]),
    state.tools === look.event.tools.length ? undefined : fail(`when ${moment} ${state.tools} tools are told of, and ${look.event.tools.length} are registered`, [index, look.index]),
    needs.why !== true || (state.lastError ?? '').trim() !== '' ? undefined : fail(`when ${moment} no error is told of`, [index]),
  );
}

function stateAt(history: History, moment: string): At<EventOf<'state'>> | undefined {
  return eventsOf(history, 'state').find(({ event }) => event.moment === moment);
}

/** A healthy call, and a loss after it. */
function judgeLoss(history: History): Judgement | undefined {
  const [healthy] = callsFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  return doubt([echoed(healthy), 'a healthy call'], [livesOf(history, SERVER)[0]?.end !== undefined, 'the end of the first process']);
}

function judgeOutage(history: History): Judgement {
  const outage = stateAt(history, 'in the outage');
  const second = livesOf(history, SERVER)[1];
  const removed = stateAt(history, 'removed');
  const left = removed?.event.servers.find(({ name, state }) => name === SERVER && state !== 'disposed');
  return first(
    judgeLoss(history), judgeMoment(history, 'opened', ['ready']),
    doubt([outage !== undefined && (second === undefined || second.beganAtMs > outage.event.atMs), 'a look at the state before the next process']),
    judgeMoment(history, 'in the outage', ['reconnecting', 'connecting'], { why: true }),
    barrierOf(history, RECOVERED)?.event.reached === false ? fail('the server is never told to be ready again') : undefined,
    judgeMoment(history, 'recovered', ['ready']),
    left === undefined ? undefined : fail(`a server that is removed is told to be ${left.state}`, removed === undefined ? [] : [removed.index]),
  ) ?? pass('ready, reconnecting with its reason, ready again: what is told was true');
}

/**
 * The attempt that is told of between the first attempt, which failed, and the second. Whoever counts from nought, or only what has
 * failed, says 1; who counts what comes next says 2.
 */
function judgeAttempt(history: History): Judgement | undefined {
  const [, second, third] = livesOf(history, SERVER);
  const [failedAtMs, triedAtMs] = [second?.lastSign.event.atMs ?? Infinity, third?.beganAtMs ?? Infinity];
  const told = eventsOf(history, 'state').findLast(({ event }) => event.moment === TRIED && event.atMs > failedAtMs + LOOK_EVERY_MS && event.atMs < triedAtMs);
  const state = told?.event.servers.find(({ name }) => name === SERVER);
  if (told === undefined || state === undefined) return inconclusive('not in the history: the state of the server between two attempts');
  const { attempt } = state;
  return attempt !== undefined && attempt >= 1 && attempt <= ATTEMPTS
    ? undefined
    : fail(`between the first attempt of an outage and the second ${attempt === undefined ? 'no attempt' : `attempt ${attempt}`} is told of`, [told.index]);
}

function judgeGivenUp(history: History): Judgement {
  const given = barrierOf(history, GIVEN_UP);
  return first(
    judgeLoss(history), judgeMoment(history, 'opened', ['ready']),
    doubt([given !== undefined, 'a wait for the end of all attempts'], [livesOf(history, SERVER).length > 2, 'attempts that failed']),
    given?.event.reached === false ? fail('a server that is not tried any more is never told to have failed', [given.index]) : undefined,
    judgeMoment(history, 'given up', ['failed'], { why: true }), judgeAttempt(history),
  ) ?? pass('failed, with its reason and without tools, after attempts that were told of');
}

const base = { invariant: 'CONNECTION-040', options: ['reconnect'] } as const;

/** Checks of states. */
export const stateChecks: readonly Check[] = [
  scripted({ ...base, id: 'CONNECTION-040/through-an-outage', limitMs: 60_000, exercise: exerciseOutage, judge: judgeOutage }),
  scripted({ ...base, id: 'CONNECTION-040/given-up', exercise: exerciseGivenUp, judge: judgeGivenUp }),
];

/** CALL-050: every call settles, with the answer of its own request. */
import type { History } from '../../history/schema.ts';
import { barrierOf, pairedCalls, paramsOf, registrySnapshots, textOf, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, type Judgement } from '../check.ts';
import { placesOf } from '../support/facts.ts';
import { barriers } from './barriers.ts';
import { describePlan } from './plan.ts';
import { isJudgement, placeOf, readRun, type ReadRun, type ReadStep } from './reading.ts';
import type { Part } from './walk.ts';

/** Steps after which a call that was under way cannot be answered. */
const ENDING: ReadonlySet<string> = new Set(['crash', 'reload', 'remove', 'dispose']);

/** Says whether each call of a run settled, once, by its own answer or as a failure where there was none. */
export function judgeOwnAnswers(history: History): Judgement {
  const run = readRun(history);
  if (isJudgement(run)) return run;
  const calls = pairedCalls(history).filter(({ call }) => call.index >= run.from);
  const ids = calls.map(({ callId }) => callId);
  for (const call of calls) {
    const step = run.steps.find(({ from, to }) => call.call.index >= from && call.call.index < to);
    if (step === undefined) continue;
    const problem = problemOf(history, call, step, run, ids);
    if (problem !== undefined) {
      return fail(`the call ${call.callId} of ${JSON.stringify(call.call.event.rawName)}, made of "${call.call.event.server ?? ''}" ${placeOf(step, run.plan)}, ${problem}. ${describePlan(run.plan)}`, placesOf(call));
    }
  }
  const own = calls.filter((call) => call.outcome?.event.reply.outcome === 'ok').length;
  if (own === 0) return inconclusive('no call of the run succeeded, so nothing tells a broken call from a broken run');
  return pass(`${calls.length} calls settled, ${own} of them with their own answer`);
}

function problemOf(history: History, call: PairedCall, step: ReadStep, run: ReadRun, ids: readonly string[]): string | undefined {
  const { requests, answer, outcome } = call;
  if (requests.length > 1) return `reached the server ${requests.length} times`;
  const wireName = requests[0] === undefined ? undefined : paramsOf(requests[0].event)['name'];
  const { server, rawName } = call.call.event;
  const [request] = requests;
  if (request !== undefined && request.event.server !== server) return `reached the server "${request.event.server}"`;
  if (request !== undefined && wireName !== rawName) return `reached the server as ${JSON.stringify(wireName)}`;
  if (outcome === undefined) return unsettled(history, call);
  const { reply } = outcome.event;
  const text = textOf(reply.view);
  const others = ids.filter((id) => id !== call.callId && text.includes(`"${id}"`));
  if (others.length > 0) return `shows the answer of ${others.join(', ')}`;
  if (reply.outcome === 'ok') {
    if (requests.length === 0) return 'succeeded and never reached the server';
    if (answer === undefined) return 'succeeded though the server never answered';
    return text.includes(`"${call.callId}"`) ? undefined : 'succeeded without what the server answered';
  }
  if (call.cancels.length > 0 || isGoneBehind(history, call)) return undefined;
  if (partOf(step, call)?.before.phase === 'live' && answeredInPeace(call, run)) return `ended as ${reply.outcome} (${reply.message ?? 'no message'}), though the server lived and the call was not given up`;
  return undefined;
}

/** Nothing ended the server or the connection between call and outcome. What ends another server is no reason. */
function answeredInPeace(call: PairedCall, run: ReadRun): boolean {
  const until = call.outcome?.index ?? Infinity;
  return !run.steps.some(
    (one) => ENDING.has(one.step.do) && partOf(one, call)?.isReached === true && one.to > call.call.index && one.from <= until,
  );
}

function partOf(step: ReadStep, call: PairedCall): Part | undefined {
  return step.parts.find(({ before }) => before.server.name === call.call.event.server);
}

/** A call without an outcome fails when it was waited for in vain. */
function unsettled(history: History, call: PairedCall): string | undefined {
  const waited = barrierOf(history, barriers.ends(call.callId));
  if (waited === undefined || waited.event.reached || isBehind(history, call, waited.index)) return undefined;
  return `did not settle within ${waited.event.boundMs} ms`;
}

/** Whether a call waited for its turn, and its tool was gone when that came. */
function isGoneBehind(history: History, call: PairedCall): boolean {
  const { call: { index, event: { request } }, outcome } = call;
  if (outcome === undefined || call.requests.length > 0 || !isBehind(history, call, index + 1)) return false;
  return registrySnapshots(history).some((one) => one.index > index && one.index < outcome.index && one.event.tools.every(({ name }) => name !== request.name));
}

/** Whether a call was not sent up to a place, and another of its server had not ended there: who sends one call at a time sends it later. */
function isBehind(history: History, { call, requests }: PairedCall, until: number): boolean {
  if (requests.some(({ index }) => index < until)) return false;
  return pairedCalls(history).some((other) =>
    other.call.event.server === call.event.server && (other.requests[0]?.index ?? until) < until && Math.min(other.answer?.index ?? until, other.outcome?.index ?? until) >= until);
}

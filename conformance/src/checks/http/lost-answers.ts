/** Streams of answers that end or break before the answer, and cannot be resumed (CALL-030, CALL-031). */
import type { Action } from 'mcp-fixture-server/scenario';
import type { Bench } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import type { History } from '../../history/schema.ts';
import { faultsFired, subjectOf, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Check, type Judgement } from '../check.ts';
import { callFor, doubt, echoed, first, placesOf, replyOf, uncalled } from '../support/facts.ts';
import { HARMLESS, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';
import { openWeb, patience } from './steps.ts';

const SERVER = 'breaking';

/** Tools by what becomes of the answer's stream. None of its events has an id, so nothing can be resumed. */
const LOST: Readonly<Record<string, readonly Action[]>> = {
  'ends-without-an-answer': [{ openStream: {} }, { closeStream: 'request' }],
  'breaks-off': [{ openStream: {} }, { cut: 'request' }],
  'is-reset': [{ reset: 'request' }],
};

/** How long a call without an answer may take to end, in milliseconds. */
export const promptMs = (settleMs: number): number => settleMs + SLACK_MS;

async function exercise(bench: Bench): Promise<void> {
  const names = Object.keys(LOST);
  // What a tool promises is no leave to send its calls again.
  await openWeb(bench, SERVER, script(SERVER, names.map((name) => tool(SERVER, name, { annotations: HARMLESS })), names.map((name) => onCall(name, LOST[name] ?? []))), patience(bench));
  await ask(bench, SERVER, STEADY);
  const boundMs = promptMs(bench.subject.bounds.settleMs) + SLACK_MS;
  for (const name of names) await ask(bench, SERVER, name, { boundMs });
  await ask(bench, SERVER, STEADY);
  await bench.flush();
}

/** The calls whose answers were lost; a judgement when they are not all in the history. */
function lostCalls(history: History): readonly PairedCall[] | Judgement {
  const healthy = callFor(history, STEADY, SERVER);
  if (healthy === undefined) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const found: PairedCall[] = [];
  for (const name of Object.keys(LOST)) {
    const call = callFor(history, name, SERVER);
    if (call === undefined) return uncalled(history, SERVER, name) ?? inconclusive(`"${name}" was not called`);
    if (call.requests.length === 0 || faultsFired(history, SERVER, `on-${name}`).length === 0) return inconclusive(`not in the history: the stream of "${name}" lost`);
    found.push(call);
  }
  return found;
}

function judgeOnce(history: History): Judgement {
  const calls = lostCalls(history);
  if ('verdict' in calls) return calls;
  const again = calls.find(({ requests }) => requests.length > 1);
  return again === undefined ? pass(`${calls.length} answers were lost, and each call was sent once`) : fail(`a call whose answer was lost was sent ${again.requests.length} times`, placesOf(again));
}

function judgePrompt(history: History): Judgement {
  const calls = lostCalls(history);
  if ('verdict' in calls) return calls;
  const limitMs = promptMs(subjectOf(history)?.bounds.settleMs ?? 0);
  return first(...calls.map((call) => {
    const { event } = call.call;
    const reply = replyOf(call);
    const tookMs = call.outcome === undefined ? Number.POSITIVE_INFINITY : call.outcome.event.atMs - event.atMs;
    const what = `the call whose answer ${String(event.rawName).replaceAll('-', ' ')}`;
    return first(
      tookMs <= limitMs ? undefined : fail(`${what} did not settle within ${limitMs} ms`, placesOf(call)),
      reply?.outcome === 'ok' ? fail(`${what} succeeded`, placesOf(call)) : undefined,
      reply?.executed === 'unknown' ? undefined : fail(`${what} is reported as executed: ${reply?.executed ?? ''}`, placesOf(call)),
    );
  }), doubt([echoed(callFor(history, STEADY, SERVER)), 'a healthy call afterwards'])) ?? pass(`${calls.length} calls without an answer failed at once, as perhaps executed`);
}

/** Checks of answers whose streams are lost. */
export const lostAnswerChecks: readonly Check[] = [
  scripted({ id: 'CALL-030/answer-lost', invariant: 'CALL-030', limitMs: 60_000, exercise, judge: judgeOnce }),
  scripted({ id: 'CALL-031/answer-lost', invariant: 'CALL-031', limitMs: 60_000, exercise, judge: judgePrompt }),
];

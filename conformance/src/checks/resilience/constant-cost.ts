/** The n-th call costs what the first did (CALL-036). */
import type { Bench } from '../../bench/bench.ts';
import type { History } from '../../history/schema.ts';
import { frames, pairedCalls, received } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { callsFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { onCall, script, STEADY, tool } from '../support/scripts.ts';
import { begin, heldAt, offeredTool, openOne, settle } from '../support/steps.ts';

const SERVER = 'tireless';
const HELD = 'held';
const CALLS = 300;
/** Calls at the beginning that warm up, and how many are compared at either end. */
const WARM_UP = 20;
const COMPARED = 40;
/** How much slower the last calls may be than the first: a busy machine, a larger history. */
const FACTOR = 2;
const SLACK_MS = 30;
const CANCELLED = 'notifications/cancelled';

async function exercise(bench: Bench): Promise<void> {
  const server = await openOne(bench, SERVER, script(SERVER, [tool(SERVER, HELD)], [onCall(HELD, [{ hold: HELD }])]));
  const steady = await offeredTool(bench, SERVER, STEADY);
  if (steady === undefined) return;
  for (let n = 0; n < CALLS; n += 1) await bench.call({ tool: steady, server: SERVER, rawName: STEADY, arguments: {} });
  if (bench.subject.features.includes('abort')) {
    const held = await begin(bench, SERVER, HELD);
    await bench.wire(server, 'a call is held', heldAt(HELD));
    await held?.cancel();
    await settle(held);
  }
  await bench.flush();
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function judge(history: History): Judgement {
  const calls = callsFor(history, STEADY, SERVER);
  if (calls.length === 0) return uncalled(history, SERVER, STEADY) ?? inconclusive('no call was made');
  const bad = calls.find((call) => !echoed(call));
  if (bad !== undefined) return bad.answer === undefined ? inconclusive('a call was not answered') : fail('a call was answered, and failed', placesOf(bad));
  if (calls.length < WARM_UP + 2 * COMPARED) return inconclusive(`only ${calls.length} calls were made`);
  const took = calls.map(({ call, outcome }) => (outcome?.event.atMs ?? 0) - call.event.atMs);
  const [firstMs, lastMs] = [median(took.slice(WARM_UP, WARM_UP + COMPARED)), median(took.slice(-COMPARED))];
  const half = calls[Math.floor(calls.length / 2)]?.call.index ?? 0;
  const messages = (from: number, to: number): number => frames(history, { server: SERVER, direction: 'client-to-server' }).filter(({ index }) => index >= from && index < to).length;
  const [early, late] = [messages(calls[0]?.call.index ?? 0, half), messages(half, calls.at(-1)?.outcome?.index ?? 0)];
  const held = pairedCalls(history).find(({ call, cancels }) => call.event.rawName === HELD && cancels.length > 0);
  const cancelled = held === undefined ? [] : received(history, SERVER, CANCELLED);
  return first(
    doubt([held === undefined || held.requests.length > 0, 'the held call on the wire']),
    lastMs <= FACTOR * firstMs + SLACK_MS ? undefined : fail(`the last of ${calls.length} calls took ${lastMs.toFixed(1)} ms, the first ${firstMs.toFixed(1)} ms`),
    late <= early + COMPARED ? undefined : fail(`the first half of ${calls.length} calls cost ${early} messages, the second ${late}`),
    cancelled.length <= 1 ? undefined : fail(`after ${calls.length} calls that had ended, one cancelled call cost ${cancelled.length} cancellations`, cancelled.map(({ index }) => index)),
  ) ?? pass(`${calls.length} calls: ${firstMs.toFixed(1)} ms each at first, ${lastMs.toFixed(1)} ms at last`);
}

/** CALL-036: cost does not grow. */
export const constantCost = scripted({ id: 'CALL-036/hundreds-of-calls', invariant: 'CALL-036', limitMs: 90_000, exercise, judge });

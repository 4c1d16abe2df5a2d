/**
 * Which call gets which answer.
 */
import * as fc from 'fast-check';
import type { Action } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { nowMs } from '../../history/clock.ts';
import { eventsOf, frames, messageOf, ownEventsFrom, textOf, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, property, scripted, type Check, type Judgement } from '../check.ts';
import { openWeb } from '../http/steps.ts';
import { perBench } from '../per-bench.ts';
import { before, callFor, doubt, echoed, idOf, placesOf, replyOf, requestId, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, script, STEADY, textResult, tool } from '../support/scripts.ts';
import { ask, begin, heldAt, memberOf, openOne, settle } from '../support/steps.ts';
import type { History } from '../../history/schema.ts';

const SERVER = 'shuffled';
/** How many calls are in flight at once. */
const LANES = 4;
/** For a call from its start to its end, the release of its hold included. */
const HELD_BOUND_MS = 4_000;
const lane = (n: number): string => `lane_${n}`;

/** Every lane waits at a hold of its own; the suffix tells the holds of one input from those of another. */
const heldScript = (suffix = ''): ReturnType<typeof script> =>
  script(SERVER, lanes().map((name) => tool(SERVER, name)), lanes().map((name) => onCall(name, [{ hold: name + suffix }, ANSWER])));
const lanes = (): string[] => Array.from({ length: LANES }, (_, n) => lane(n));

/** Opens the subject with the server that holds its calls. */
type Opener = (bench: Bench) => Promise<BenchServer>;

/** The server that the inputs of a property share. */
const shared = perBench<BenchServer>();

/** WIRE-005: several calls are held together and answered in any order. */
const anyOrder = (id: `WIRE-005/${string}`, open: Opener): Check => property<readonly number[]>({
  id,
  invariant: 'WIRE-005',
  arbitrary: fc.shuffledSubarray([0, 1, 2, 3], { minLength: LANES }),
  runs: 10,
  labels: (order) => (order.some((n, at) => n !== at) ? ['out of order'] : ['in order']),
  minimums: { 'out of order': 6 },
  async prepare(bench) {
    shared.set(bench, await open(bench));
  },
  async exercise(bench, order) {
    const server = shared.get(bench);
    const suffix = `@${nowMs()}`;
    await server.program(heldScript(suffix));
    const calls = [];
    for (const name of lanes()) {
      calls.push(await begin(bench, SERVER, name, { boundMs: HELD_BOUND_MS }));
      await bench.wire(server, `${name} held`, heldAt(name + suffix));
    }
    for (const n of order) await server.fixture.release(lane(n) + suffix);
    for (const call of calls) await settle(call);
  },
  judge(history): Judgement {
    const order = eventsOf(history, 'run').at(-1)?.event.input;
    if (!Array.isArray(order) || !order.every((n) => typeof n === 'number')) return inconclusive('no input was run');
    const from = ownEventsFrom(history);
    const calls = lanes().map((name) => callFor(history, name));
    const answers = order.map((n) => calls[n]?.answer);
    const doubted = doubt(
      [calls.every((call) => call !== undefined && call.call.index > from && call.requests.length > 0), 'all calls on the wire'],
      [answers.every((answer) => answer !== undefined), 'an answer of the server to each call'],
      [answers.every((answer, at) => at === 0 || before(answers[at - 1], answer)), 'the answers in the order of their release'],
    );
    return doubted ?? ownAnswers(calls) ?? pass(`answers in the order ${order.join(', ')} reached their own calls`);
  },
});

/** The checks of WIRE-005, by transport. */
export const anyOrderChecks: readonly Check[] = [
  anyOrder('WIRE-005/any-order', (bench) => openOne(bench, SERVER, heldScript())),
  { ...anyOrder('WIRE-005/any-order-over-http', (bench) => openWeb(bench, SERVER, heldScript())), transports: ['streamable-http'] },
];

/** The first call that did not end with its own echo. */
function ownAnswers(calls: readonly (PairedCall | undefined)[]): Judgement | undefined {
  for (const call of calls) {
    if (call === undefined || echoed(call)) continue;
    const text = textOf(replyOf(call)?.view ?? []);
    const other = calls.find((one) => one !== undefined && one !== call && text.includes(one.callId));
    if (other !== undefined) return fail(`${call.callId} ended with the answer to ${other.callId}`, placesOf(call));
    return fail(`${call.callId} was answered by its server and ended without that answer: ${replyOf(call)?.outcome ?? 'never settled'}`, placesOf(call));
  }
  return undefined;
}

/** A word in every answer that no call may end with. */
const STRAY = 'stray-answer-of-nobody';

const stray = (id: unknown): Action => ({ reply: { result: textResult(STRAY), id } });

/** WIRE-006: answers to nobody, to a call that is over, and twice. */
export const strayAnswers = scripted({
  id: 'WIRE-006/stray-and-duplicate',
  invariant: 'WIRE-006',
  async exercise(bench) {
    const server = await openOne(bench, SERVER, heldScript());
    await ask(bench, SERVER, STEADY);
    const past = lastCallId(bench);
    const first = await begin(bench, SERVER, lane(0), { boundMs: HELD_BOUND_MS });
    await bench.wire(server, 'first held', heldAt(lane(0)));
    const second = await begin(bench, SERVER, lane(1), { boundMs: HELD_BOUND_MS });
    await bench.wire(server, 'second held', heldAt(lane(1)));
    await server.fixture.do([stray('nobody'), stray(987_654), stray(null), ...(past === undefined ? [] : [stray(past)])]);
    // A request that the server receives afterwards shows that the strays were read before the answers.
    await ask(bench, SERVER, STEADY, { boundMs: HELD_BOUND_MS });
    await server.fixture.release(lane(1));
    await settle(second);
    const answered = second === undefined ? undefined : lastCallId(bench, lane(1));
    if (answered !== undefined) await server.fixture.do([stray(answered)]);
    await server.fixture.release(lane(0));
    await settle(first);
    await ask(bench, SERVER, STEADY, { boundMs: HELD_BOUND_MS });
    await bench.close();
  },
  judge(history): Judgement {
    const strays = frames(history, { server: SERVER, direction: 'server-to-client' }).filter(({ event }) => JSON.stringify(event.message ?? '').includes(STRAY));
    const calls = [callFor(history, lane(0)), callFor(history, lane(1)), callFor(history, STEADY)];
    if (calls.includes(undefined)) return uncalled(history, SERVER, lane(0)) ?? uncalled(history, SERVER, lane(1)) ?? inconclusive('a call was not made');
    const inFlight = strays.filter((one) => before(calls[0]?.requests[0], one) && before(one, calls[0]?.answer));
    const misled = history.findIndex((event) => event.kind === 'outcome' && textOf(event.reply.view).includes(STRAY));
    if (misled !== -1) return fail('a call ended with an answer that belongs to no call in flight', [misled]);
    const strayIds = new Set(strays.map(idOf));
    return doubt(
      [inFlight.length >= 3, 'answers to nobody while two calls were in flight'],
      [calls.every((call) => call !== undefined && call.requests.length > 0), 'the calls on the wire'],
      [requestId(calls[0]) === undefined || !strayIds.has(requestId(calls[0])), 'a first call whose id no stray answer has'],
    ) ?? ownAnswers(calls) ?? pass('every call ended with its own answer');
  },
});

/** Id of the last request of a tool on the wire. */
function lastCallId(bench: Bench, name = STEADY): unknown {
  return lastOf(bench.history, name);
}

function lastOf(history: History, name: string): unknown {
  const calls = frames(history, { server: SERVER, direction: 'client-to-server', method: 'tools/call' });
  const found = calls.findLast(({ event }) => memberOf(messageOf(event)['params'], 'name') === name);
  return found === undefined ? undefined : idOf(found);
}


/**
 * Servers that hang or die in a call, beside one with a call in flight.
 */
import type { PendingCall } from '../../bench/bench.ts';
import { faultsFired, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { before, callsFor, doubt, echoed, first, placesOf, uncalled } from '../support/facts.ts';
import { ANSWER, onCall, ownScript, script, STEADY, tool } from '../support/scripts.ts';
import { ended, heldAt, offeredTool, receives, settle } from '../support/steps.ts';

const HEALTHY = 'healthy';
const HELD = 'held';
const BAD = { hangs: [{ hang: true }], dies: [{ exit: 9 }] } as const;
/** Raw names are of one server each, since a bridge may offer raw names. */
const fatal = (server: string): string => `fatal_at_${server}`;
/** For a call, in milliseconds: one that hangs is given up. */
const CALL_BOUND_MS = 3_000;
/** For the call in flight, in milliseconds: longer than everything that is waited for beside it. */
const HELD_BOUND_MS = 15_000;

/** Whether a call had no end, and was not sent before the call in flight was over: that a server has one call at a time is allowed. */
function isInTurn(call: PairedCall, held: PairedCall | undefined): boolean {
  const [request] = call.requests;
  return call.outcome === undefined && (request === undefined || before(held?.answer, request));
}

/** ISOLATION-002: the call in flight and the next one end as if nothing had happened. */
export const badCallsIsolated = scripted({
  id: 'ISOLATION-002/bad-calls',
  invariant: 'ISOLATION-002',
  async exercise(bench) {
    const healthy = bench.serve(HEALTHY, script(HEALTHY, [tool(HEALTHY, HELD)], [onCall(HELD, [{ hold: HELD }, ANSWER])]));
    const bad = Object.entries(BAD).map(([name, actions]) => bench.serve(name, ownScript(name, [fatal(name)], [onCall(fatal(name), actions)])));
    await bench.open([...bad, healthy]);
    // Before anything goes wrong: a look of a bridge that lists afresh may rightly wait for a server that hangs.
    const start = new Map<string, () => PendingCall | undefined>();
    for (const [server, rawName] of [[HEALTHY, HELD], [HEALTHY, STEADY], ...bad.map(({ name }) => [name, fatal(name)] as const)] as const) {
      const found = await offeredTool(bench, server, rawName);
      start.set(`${server} ${rawName}`, () => found === undefined ? undefined : bench.start({ tool: found, server, rawName, boundMs: rawName === HELD ? HELD_BOUND_MS : CALL_BOUND_MS }));
    }
    const begin = (server: string, rawName: string): PendingCall | undefined => start.get(`${server} ${rawName}`)?.();
    const call = begin(HEALTHY, HELD);
    await bench.wire(healthy, 'held', heldAt(HELD));
    const lost = new Map<string, PendingCall | undefined>();
    for (const server of bad) {
      lost.set(server.name, begin(server.name, fatal(server.name)));
      await bench.wire(server, `${server.name} was called`, receives('tools/call'));
    }
    const dying = bad.find(({ name }) => name === 'dies');
    if (dying !== undefined) await bench.wire(dying, 'it died', ended);
    // Its call has settled when the subject knows of the death.
    await settle(lost.get('dies'));
    const next = await settle(begin(HEALTHY, STEADY));
    // Nobody waits there any more when the subject ended the healthy server too; the judge sees that.
    await healthy.fixture.release(HELD).catch(() => undefined);
    await settle(call);
    // Who sends a server one call at a time sends this one only now.
    if (next === undefined) await settle(begin(HEALTHY, STEADY));
    // The hung call is given up; whether and how it ends is another invariant's matter.
    for (const one of lost.values()) await one?.cancel().catch(() => undefined);
    await bench.close();
  },
  judge(history): Judgement {
    const [held] = callsFor(history, HELD, HEALTHY);
    const [next, ...later] = callsFor(history, STEADY, HEALTHY);
    const steady = next !== undefined && isInTurn(next, held) ? later.at(-1) : next;
    if (held === undefined || next === undefined) return uncalled(history, HEALTHY, HELD) ?? uncalled(history, HEALTHY, STEADY) ?? inconclusive('the healthy server was not called');
    const faults = Object.keys(BAD).map((name) => faultsFired(history, name)[0]);
    return first(
      doubt([faults.every((fault) => fault !== undefined && before(held.requests[0], fault)), 'servers that went wrong while the call was in flight']),
      doubt([steady !== undefined, 'a call of the healthy server after the call in flight']),
      echoed(steady) ? undefined : fail('a healthy server could not be called after others had gone wrong', placesOf(steady ?? next)),
      doubt([held.answer !== undefined || held.outcome !== undefined, 'the end of the call in flight']),
      echoed(held) ? undefined : fail('a call in flight did not end with its answer after other servers had gone wrong', placesOf(held)),
    ) ?? pass('calls of the healthy server ended with their answers');
  },
});

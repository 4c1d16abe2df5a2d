/**
 * Calls whose server ends while they are in flight.
 */
import type { Action, ScenarioInput } from 'mcp-fixture-server/scenario';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { awaiting } from '../../bench/waits.ts';
import type { History } from '../../history/schema.ts';
import { pairedCalls, wireRecords, type PairedCall } from '../../history/views.ts';
import { fail, inconclusive, pass, scripted, type Judgement } from '../check.ts';
import { recovered } from '../connection/steps.ts';
import { callFor, doubt, echoed, placesOf, replyOf } from '../support/facts.ts';
import { HARMLESS, onCall, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, ended, heldAt, settle } from '../support/steps.ts';

/** Ways for a process to end in a call, each a server of its own. */
const ENDINGS: Readonly<Record<string, readonly Action[]>> = {
  'ends-clean': [{ exit: 0 }],
  'ends-failing': [{ exit: 3 }],
  'ends-killed': [{ kill: 'SIGKILL' }],
  'ends-in-a-line': [{ raw: { text: '{"jsonrpc":"2.0","id":' } }, { exit: 0 }],
};
/** Raw names of the tools of a server: no two servers share one, since a bridge may offer raw names. */
const fatal = (server: string): string => `fatal_at_${server}`;
const waits = (server: string): string => `waits_at_${server}`;
const healthy = (server: string): string => `healthy_at_${server}`;
const WAITING = 'waiting';
/** Healthy all the time; it shows that the host still works. */
const WITNESS = 'witness';

/** Of the two tools that are caught one says that it is harmless, which is no leave to call it twice. */
const fatalScript = (server: string, actions: readonly Action[]): ScenarioInput => ({
  scenario: 1,
  tools: [tool(server, healthy(server)), tool(server, fatal(server), { annotations: HARMLESS }), tool(server, waits(server))],
  rules: [onCall(fatal(server), actions, { incarnation: 1 }), onCall(waits(server), [{ hold: WAITING }], { incarnation: 1 })],
});

/** Ends every server in the middle of two calls. */
async function endAll(bench: Bench): Promise<void> {
  const endings = Object.entries(ENDINGS).slice(0, bench.subject.servers === 'one' ? 1 : undefined);
  const servers = endings.map(([name, actions]) => bench.serve(name, fatalScript(name, actions)));
  const witness = bench.serve(WITNESS, script(WITNESS, []));
  await bench.open(bench.subject.servers === 'one' ? servers : [...servers, witness]);
  await Promise.all(servers.map((server) => endOne(bench, server)));
  if (bench.subject.servers !== 'one') await ask(bench, WITNESS, STEADY);
  for (const server of servers) await comeBack(bench, server);
  await bench.close();
}

async function endOne(bench: Bench, server: BenchServer): Promise<void> {
  const waiting = await begin(bench, server.name, waits(server.name), { boundMs: 2_500 });
  await bench.wire(server, `${server.name} waits`, heldAt(WAITING));
  const last = await begin(bench, server.name, fatal(server.name), { boundMs: 2_500 });
  await bench.wire(server, `${server.name} ended`, ended);
  await settle(last);
  await settle(waiting);
}

/** Where the subject can, the server runs again and answers a call: what was sent twice would have come by then. */
async function comeBack(bench: Bench, server: BenchServer): Promise<void> {
  if (bench.subject.features.includes('reconnect')) {
    const boundMs = bench.subject.bounds.reconnectMs;
    await bench.wire(server, `${server.name} is back`, awaiting({ started: true, times: 2 }, (record) => record.kind === 'process' && record.event === 'incarnation' && record.incarnation > 1), { boundMs });
    // The process is there before it was listed, and until then a call is refused without harm.
    await recovered(bench, server, `${server.name} can be called again`, boundMs);
  } else if (bench.subject.features.includes('reload')) await bench.reload(server.name);
  else return;
  await ask(bench, server.name, healthy(server.name));
}

/** Calls that were on the wire of a process when it ended, unanswered. */
export function caught(history: History): PairedCall[] {
  const ends = wireRecords(history, 'process').filter(({ event }) => event.event === 'exit');
  return pairedCalls(history).filter((call) => {
    const request = call.requests[0];
    return request !== undefined && call.answer === undefined &&
      ends.some(({ event, index }) => event.server === request.event.server && event.pid === request.event.pid && index > request.index);
  });
}

const none = (): Judgement => inconclusive('no call was on the wire of a server that ended');

/** CALL-003: nothing is sent again. */
export const atMostOnce = scripted({
  id: 'CALL-003/server-ends',
  invariant: 'CALL-003',
  limitMs: 60_000,
  exercise: endAll,
  judge(history): Judgement {
    const twice = pairedCalls(history).find(({ requests }) => requests.length > 1);
    if (twice !== undefined) return fail(`${twice.callId} was sent ${twice.requests.length} times`, placesOf(twice));
    const calls = caught(history);
    if (calls.length === 0) return none();
    const subject = history.find((event) => event.kind === 'subject')?.description;
    const returns = subject?.features.some((one) => one === 'reconnect' || one === 'reload') === true;
    const back = wireRecords(history, 'process').some(({ event }) => event.event === 'incarnation' && event.incarnation > 1) && Object.keys(ENDINGS).some((server) => echoed(callFor(history, healthy(server), server)));
    return doubt([!returns || back, 'a server that came back and answered a call']) ??
      pass(`${calls.length} calls whose server ended were sent once each`);
  },
});

/** CALL-004: everything settles, as a failure. */
export const everyCallSettles = scripted({
  id: 'CALL-004/server-ends',
  invariant: 'CALL-004',
  limitMs: 60_000,
  exercise: endAll,
  judge(history): Judgement {
    const calls = caught(history);
    if (calls.length < 2) return none();
    for (const call of calls) {
      const reply = replyOf(call);
      if (reply === undefined) return fail(`${call.callId} never settled after its server ended`, placesOf(call));
      if (reply.outcome === 'ok') return fail(`${call.callId} succeeded although its server ended without an answer`, placesOf(call));
    }
    const witness = callFor(history, STEADY, WITNESS);
    if (witness !== undefined && !echoed(witness)) return fail('a healthy server could not be called after the others had ended', placesOf(witness));
    return pass(`${calls.length} calls in flight settled when their servers ended`);
  },
});

/** CALL-005: nobody is told that nothing happened. */
export const outcomeUnknown = scripted({
  id: 'CALL-005/server-ends',
  invariant: 'CALL-005',
  limitMs: 60_000,
  exercise: endAll,
  judge(history): Judgement {
    const calls = caught(history).filter((call) => call.outcome !== undefined);
    if (calls.length === 0) return none();
    const wrong = calls.find((call) => replyOf(call)?.executed !== 'unknown');
    return wrong === undefined
      ? pass(`${calls.length} unanswered calls were reported as perhaps executed`)
      : fail(`${wrong.callId} was received by a server that ended, and is reported as executed: ${replyOf(wrong)?.executed ?? ''}`, placesOf(wrong));
  },
});

/**
 * One exercise with nothing unusual in it, and what is judged of each message in it (WIRE-026, 027, 029, 031, 032, 049).
 */
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { scripted, type Check } from '../check.ts';
import { ANSWER, onCall, onMethod, script, STEADY, tool } from '../support/scripts.ts';
import { ask, begin, heldAt, openOne, settle } from '../support/steps.ts';
import { openWeb } from '../http/steps.ts';
import { judgeHandshakes } from './handshake.ts';
import { judgeNegotiated } from './negotiated.ts';
import { judgeIds, judgeLines, judgeTasks, judgeTokens } from './requests.ts';

const SERVER = 'plain';
const LANES = ['lane_0', 'lane_1'] as const;
/** Long enough to see a client that does not wait for the answer to its handshake, in milliseconds. */
const PAUSE_MS = 30;
/** Limits that let a bridge ask for progress where it does so on demand only; far above what a call takes, in milliseconds. */
const LIMITS: Readonly<Record<string, number>> = { toolCallTimeoutMs: 10_000, toolCallMaxTotalMs: 20_000 };

const scenario = script(SERVER, LANES.map((name) => tool(SERVER, name)), [
  onMethod('initialize', [{ delay: PAUSE_MS }, ANSWER]), ...LANES.map((name) => onCall(name, [{ hold: name }, ANSWER])),
]);

/** Two calls in flight at once, and one after them. */
async function talk(bench: Bench, server: BenchServer): Promise<void> {
  const calls = [];
  for (const name of LANES) {
    calls.push(await begin(bench, SERVER, name));
    if (calls.at(-1) !== undefined) await bench.wire(server, `${name} is called`, heldAt(name));
  }
  for (const name of LANES) await server.fixture.release(name);
  for (const call of calls) await settle(call);
  await ask(bench, SERVER, STEADY);
  await bench.close();
}

/** {@link LIMITS}, where the subject has them all. */
const limitsOf = ({ subject }: Bench): Readonly<Record<string, number>> => (Object.keys(LIMITS).every((name) => subject.options.includes(name)) ? LIMITS : {});

async function overStdio(bench: Bench): Promise<void> {
  await talk(bench, await openOne(bench, SERVER, scenario, limitsOf(bench)));
}

async function overHttp(bench: Bench): Promise<void> {
  await talk(bench, await openWeb(bench, SERVER, scenario, limitsOf(bench)));
}

/** The checks of a plain conversation. */
export const plainTalkChecks: readonly Check[] = [
  scripted({ id: 'WIRE-026/over-stdio', invariant: 'WIRE-026', exercise: overStdio, judge: judgeHandshakes }),
  scripted({ id: 'WIRE-026/over-http', invariant: 'WIRE-026', transports: ['streamable-http'], exercise: overHttp, judge: judgeHandshakes }),
  scripted({ id: 'WIRE-027/over-stdio', invariant: 'WIRE-027', exercise: overStdio, judge: judgeIds }),
  scripted({ id: 'WIRE-027/over-http', invariant: 'WIRE-027', transports: ['streamable-http'], exercise: overHttp, judge: judgeIds }),
  scripted({ id: 'WIRE-029/over-stdio', invariant: 'WIRE-029', exercise: overStdio, judge: judgeLines }),
  scripted({ id: 'WIRE-031/two-at-once', invariant: 'WIRE-031', exercise: overStdio, judge: judgeTokens }),
  scripted({ id: 'WIRE-031/over-http', invariant: 'WIRE-031', transports: ['streamable-http'], exercise: overHttp, judge: judgeTokens }),
  scripted({ id: 'WIRE-032/plain-tools', invariant: 'WIRE-032', exercise: overStdio, judge: judgeTasks }),
  scripted({ id: 'WIRE-049/over-stdio', invariant: 'WIRE-049', exercise: overStdio, judge: judgeNegotiated }),
  scripted({ id: 'WIRE-049/over-http', invariant: 'WIRE-049', transports: ['streamable-http'], exercise: overHttp, judge: judgeNegotiated }),
];

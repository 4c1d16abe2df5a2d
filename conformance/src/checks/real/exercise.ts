/** What the checks on real servers do: list the truth, open the subject on the same server, call what has a known answer, close. */
import type { OfferedTool } from '../../adapter/messages.ts';
import type { Bench } from '../../bench/bench.ts';
import { VANISH_BOUND_MS } from '../../bench/bounds.ts';
import { survivors } from '../../bench/processes.ts';
import { nowMs } from '../../history/clock.ts';
import type { KnownCall, RealServer } from '../../real/real-server.ts';
import { startReal } from '../../real/start-real.ts';
import type { Target } from '../check.ts';
import { settle } from '../support/steps.ts';
import { noteAnswer } from './known-answers.ts';
import { offeredFor, truthTools } from './truth-pairs.ts';

/** Milliseconds for a call that a real server answers at once. */
const CALL_BOUND_MS = 10_000;

/** What a check does with a server that the subject has opened. */
export type Visit = (bench: Bench, server: RealServer) => Promise<void>;

/**
 * Opens the subject on the real server of the target, visits, closes, and looks for processes. Throws `RealServerError`
 * when the server is not at hand, which makes the run inconclusive and says what to install.
 */
export function onRealServer(visit: Visit): (bench: Bench, target: Target) => Promise<void> {
  return async (bench, target) => {
    if (target === 'fixture') throw new Error('this check is for real servers');
    const server = await startReal(target, { onRecord: (record) => bench.record({ atMs: record.atMs, kind: 'wire', record }) });
    try {
      const tools = [...(await server.truth())];
      bench.record({ atMs: nowMs(), kind: 'truth', server: server.entry.name, tools });
      await bench.open([server.entry]);
      await bench.look();
      await visit(bench, server);
      await closeAndLook(bench, server);
    } finally {
      await bench.close().catch(() => undefined);
      await server.close();
    }
  };
}

async function closeAndLook(bench: Bench, server: RealServer): Promise<void> {
  const started = [...server.pids()];
  await bench.close();
  await survivors(started, VANISH_BOUND_MS);
  // Asked for by the mark on the command line, so that one that was started meanwhile is found too.
  bench.record({ atMs: nowMs(), kind: 'processes', started, alive: [...server.pids()] });
}

/** Nothing more than the open registry. */
export const visitNothing: Visit = () => Promise.resolve();

/** Calls everything whose answer is known: successes, failures and the tool that is to be refused. */
export const visitCalls: Visit = async (bench, server) => {
  const [healthy] = server.succeeds;
  for (const call of server.succeeds) await callKnown(bench, server, call, 'ok');
  for (const call of server.fails) await callKnown(bench, server, call, 'error');
  const { taskTool } = server;
  if (taskTool !== undefined) await callTool(bench, server, taskTool, { topic: 'a topic' });
  // The healthy call after the failures.
  if (healthy !== undefined) await callKnown(bench, server, healthy, 'ok');
};

async function callKnown(bench: Bench, server: RealServer, { rawName, arguments: args, expect }: KnownCall, ends: 'ok' | 'error'): Promise<void> {
  const callId = await callTool(bench, server, rawName, args);
  if (callId !== undefined) noteAnswer(bench, { callId, ends, expect });
}

/** @returns the id of the call; `undefined` when the tool is not offered, which the history shows. */
async function callTool(bench: Bench, server: RealServer, rawName: string, args: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const tool = await find(bench, rawName);
  if (tool === undefined) return undefined;
  const pending = bench.start({ tool, server: server.entry.name, rawName, arguments: args, boundMs: CALL_BOUND_MS });
  await settle(pending);
  return pending.callId;
}

/** The offered tool that has the description of this one; descriptions of the real servers are all different. */
async function find(bench: Bench, rawName: string): Promise<OfferedTool | undefined> {
  const truth = truthTools(bench.history).find(({ name }) => name === rawName);
  return truth === undefined ? undefined : offeredFor(truth, (await bench.look()).tools);
}

/** How the model's one server comes and goes, in the ways that a subject has. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { LOOK_EVERY_MS, SLACK_MS } from '../../bench/bounds.ts';
import { awaiting } from '../../bench/waits.ts';
import { nowMs } from '../../history/clock.ts';
import { barriers } from './barriers.ts';
import { SERVER } from './lists.ts';

/** Starts the server again with the same entry: by reload, or by closing the subject and opening it. */
export async function restart(bench: Bench, server: BenchServer): Promise<void> {
  if (bench.subject.features.includes('reload')) {
    await bench.reload(SERVER);
    return;
  }
  await bench.close();
  await bench.open([server]);
}

/** Gives the server up: alone, or with the whole subject where servers do not come and go. */
export async function leave(bench: Bench): Promise<void> {
  if (bench.subject.servers === 'dynamic') await bench.remove(SERVER);
  else await bench.close();
}

/** Takes the server again. */
export async function enter(bench: Bench, server: BenchServer): Promise<void> {
  if (bench.subject.servers === 'dynamic') await bench.add(server);
  else await bench.open([server]);
}

/**
 * Waits, after a loss in the step of this index, until another process was started and the subject says that it can be
 * called, within the declared bound. @returns whether that came.
 */
export async function recovered(bench: Bench, server: BenchServer, index: number, since: number): Promise<boolean> {
  const boundMs = bench.subject.bounds.reconnectMs + SLACK_MS;
  const deadlineMs = nowMs() + boundMs;
  if (!(await bench.wire(server, barriers.restarted(index), isIncarnation, { since, boundMs }))) return false;
  for (;;) {
    const { servers } = await bench.state();
    const reached = servers.some(({ name, state }) => name === SERVER && state === 'ready');
    if (reached || nowMs() > deadlineMs) {
      bench.record({ atMs: nowMs(), kind: 'barrier', what: barriers.recovered(index), reached, boundMs, until: { server: SERVER, ready: true } });
      return reached;
    }
    await wait(LOOK_EVERY_MS);
  }
}

const isIncarnation = awaiting({ started: true }, (record) => record.kind === 'process' && record.event === 'incarnation');

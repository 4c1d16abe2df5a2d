import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { LOOK_EVERY_MS, SLACK_MS } from '../../bench/bounds.ts';
import { awaiting } from '../../bench/waits.ts';
import { nowMs } from '../../history/clock.ts';
import { paced, type Pace } from '../pace.ts';
import { barriers } from './barriers.ts';

/**
 * Waits, after a loss in the step of this index, until another process was started and the subject says that it can be
 * called, within the declared bound. @returns whether that came.
 */
export function recovered(bench: Bench, server: BenchServer, index: number, since: number, pace: Pace): Promise<boolean> {
  return paced(pace, 'return', bench.subject.bounds.reconnectMs + SLACK_MS, (boundMs) => comesBack(bench, server, index, since, boundMs));
}

async function comesBack(bench: Bench, server: BenchServer, index: number, since: number, boundMs: number): Promise<boolean> {
  const deadlineMs = nowMs() + boundMs;
  if (!(await bench.wire(server, barriers.restarted(index), isIncarnation, { since, boundMs }))) return false;
  for (;;) {
    const { servers } = await bench.state();
    const reached = servers.some(({ name, state }) => name === server.name && state === 'ready');
    if (reached || nowMs() > deadlineMs) {
      bench.record({ atMs: nowMs(), kind: 'barrier', what: barriers.recovered(index), reached, boundMs, until: { server: server.name, ready: true } });
      return reached;
    }
    await wait(LOOK_EVERY_MS);
  }
}

const isIncarnation = awaiting({ started: true }, (record) => record.kind === 'process' && record.event === 'incarnation');

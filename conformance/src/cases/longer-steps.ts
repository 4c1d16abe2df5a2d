/** Steps of a case that take more than one question to the bench. */
import { isAdapterError } from '../adapter/bridge-adapter.ts';
import type { Bench, BenchServer } from '../bench/bench.ts';
import { recovered } from '../checks/connection/steps.ts';
import { nowMs } from '../history/clock.ts';
import { reachedBy } from './awaiting.ts';
import { recognise } from './marking.ts';

/** Calls of `callEach` that are under way at once: enough to be quick, few enough for any bridge's limits. */
const CALLS_AT_ONCE = 16;

/** Calls every offered tool of these servers once. */
export async function callEach(bench: Bench, servers: ReadonlySet<string>): Promise<void> {
  const left = (await bench.look()).tools.flatMap((tool) => {
    const known = recognise(tool);
    if (known === undefined || !servers.has(known.server)) return [];
    // A mark does not carry half a character.
    return [known.rawName.includes('\uFFFD') ? { tool } : { tool, ...known }];
  });
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await bench.call(next);
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, lane));
}

/** Waits until a server can be called, as the subject says; where it tells no state, the newest process has to have answered a listing. */
export async function ready(bench: Bench, server: BenchServer, what: string, boundMs: number): Promise<void> {
  try {
    await recovered(bench, server, what, boundMs);
  } catch (error) {
    if (!isAdapterError(error) || error.code !== 'unsupported') throw error;
    const since = server.fixture.records.findLastIndex((record) => record.kind === 'process' && record.event === 'exit') + 1;
    await bench.wire(server, what, reachedBy({ server: server.name, answered: 'tools/list', times: 1 }), { since, boundMs });
  }
}

/** Waits until the host has told of this so many times since the case began. */
export async function toldTimes(bench: Bench, what: string, name: string, times: number): Promise<void> {
  let left = times - bench.history.filter((event) => event.kind === 'host-event' && event.event === name).length;
  if (left <= 0) return bench.record({ atMs: nowMs(), kind: 'barrier', what, reached: true, boundMs: 0 });
  await bench.told(what, (event) => {
    if (event === name) left -= 1;
    return left <= 0;
  });
}

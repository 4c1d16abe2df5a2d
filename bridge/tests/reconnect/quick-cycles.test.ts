/** Many quick crashes in a row: what they cost does not grow, and nothing stays (B24). */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { settle } from '../helpers-logic/manual-clock.ts';
import { RealApp, runningInGroup } from './real-app.ts';

const SERVER = fileURLToPath(new URL('../helpers/scripted-server.mjs', import.meta.url));
const CYCLES = 30;
/** Lists the tool that ends it. */
const LIST = JSON.stringify({ tools: [{ name: 'exit', inputSchema: { type: 'object' } }] });

/** What keeps the event loop of this process busy, by kind. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo().toSorted()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** What there is more of than before. Less is no leak: a timer that the start left behind may have ended since. */
function grown(before: Record<string, number>): string[] {
  return Object.entries(resources()).filter(([kind, count]) => count > (before[kind] ?? 0)).map(([kind, count]) => `${kind} ${count}`);
}

it(`leaves no process and no handle of ${CYCLES} crashes and recoveries`, async () => {
  const app = new RealApp();
  // Every connection outlives one millisecond, so each loss is an outage of its own (S54).
  await app.load({ command: process.execPath, args: [SERVER, `--list-result=${LIST}`], reconnect: { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 3 } });
  await settle();
  const before = resources();
  const listeners = process.listenerCount('exit');
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    await expect(app.host.call('mcp__real__exit', { code: 1 })).rejects.toMatchObject({ code: 'connection-lost' });
    await app.ready(cycle + 1);
  }
  expect(app.started).toHaveLength(CYCLES + 1);
  expect(app.overlaps).toEqual([]);
  expect(app.lines('error')).toEqual([]);
  expect(app.lines('info').filter((line) => line.startsWith('recovered at attempt 1 of 3'))).toHaveLength(CYCLES);
  // The last pipes close a few turns of the loop later; a timer of the test's own would count as well.
  for (let turn = 0; turn < 1_000 && grown(before).length > 0; turn += 1) await settle();
  expect(grown(before)).toEqual([]);
  expect(process.listenerCount('exit')).toBe(listeners);
  expect(app.host.changes).toEqual(['+mcp__real__exit']);
  await app.instance?.dispose();
  expect(app.started.flatMap(({ pid }) => runningInGroup(pid))).toEqual([]);
});

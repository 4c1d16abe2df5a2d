// A thousand crashes and recoveries in one process: no process left, nothing that keeps the event loop busy, no descriptor and no memory.
import { readdirSync, readFileSync } from 'node:fs';
import { startBridge } from './bridge.mjs';
import { startFixtures } from './fixtures.mjs';
import { heapMb } from './garbage.mjs';

/** The most that the heap may grow, in MB (DESIGN.md §8). */
const MOST_HEAP_MB = 5;
const CYCLES = 1_000;
/** Cycles before the first look: code is compiled and tables are made once. */
const WARM_UP = 100;
/** Servers that crash side by side. */
const LANES = 4;
/** How long what ends by itself may take to, in milliseconds: pipes close and timers run out after the last cycle. */
const SETTLE_LIMIT_MS = 10_000;
const RECOVERY_LIMIT_MS = 60_000;

/** @typedef {Record<string, number>} Counts */

/** @type {import('../bench.mjs').Bench} */
export async function bench({ log, rounds, small }) {
  const cycles = small ? 2 * LANES : CYCLES;
  const fixtures = await startFixtures();
  const target = await fixtures.serve('crashing', 'stdio', {
    scenario: 1,
    tools: [{ name: 'exit' }, { name: 'kill' }],
    rules: [
      { id: 'exit', when: { method: 'tools/call', tool: 'exit' }, do: [{ exit: 1 }] },
      { id: 'kill', when: { method: 'tools/call', tool: 'kill' }, do: [{ kill: 'SIGKILL' }] },
    ],
  });
  if (target.transport !== 'stdio') throw new Error('a crash is one of a process');
  const before = await settled(undefined);
  /** @type {Map<string, () => void>} */
  const recovered = new Map();
  const bridge = await startBridge({
    onLog({ message }) {
      if (message.includes(': recovered at attempt 1 of ')) recovered.get(message.slice(0, message.indexOf(':')))?.();
    },
  });
  const lanes = Array.from({ length: LANES }, (_, index) => `lane${index}`);
  // Every connection outlives a millisecond, so each loss is an outage of its own.
  await Promise.all(lanes.map((lane) => bridge.load(lane, target, { reconnect: { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 10 } })));
  const crash = async (/** @type {string} */ lane, /** @type {number} */ cycle) => {
    const ready = new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`${lane} did not recover from crash ${cycle} within ${RECOVERY_LIMIT_MS} ms`)), RECOVERY_LIMIT_MS);
      recovered.set(lane, () => {
        clearTimeout(limit);
        resolve();
      });
    });
    const name = `mcp__${lane}__${cycle % 2 === 0 ? 'exit' : 'kill'}`;
    const result = await bridge.host.tools.execute({ callId: `${lane}-${cycle}`, name, arguments: {}, signal: new AbortController().signal });
    if (!result.isError) throw new Error(`${lane} survived crash ${cycle}`);
    await ready;
  };
  const crashAll = (/** @type {number} */ count) =>
    Promise.all(lanes.map(async (lane) => {
      for (let cycle = 0; cycle < count / LANES; cycle += 1) await crash(lane, cycle);
    }));

  await crashAll(small ? LANES : WARM_UP);
  const ready = await settled(undefined);
  const heapAtFirst = heapMb();
  const heapAgain = heapMb();
  /** @type {number[]} */
  const heaps = [];
  for (let round = 0; round < rounds; round += 1) {
    await crashAll(Math.ceil(cycles / rounds));
    heaps.push(heapMb());
  }
  const readyAfter = await settled(ready);
  const grownMb = heapMb() - heapAtFirst;
  await bridge.close();
  const after = await settled(before);
  const processes = runningWith(secretOf(target.args));
  await fixtures.close();
  log(`crashed ${cycles} times; heap in MB: ${heapAtFirst.toFixed(1)}, then ${heaps.map((heap) => heap.toFixed(1)).join(' ')}`);
  const count = `${cycles} crashes and recoveries`;
  return [
    { name: `processes left by ${count}`, value: processes, unit: 'processes', budget: 0, holds: 'at most' },
    { name: `handles more than before, while ready, after ${count}`, value: more(readyAfter, ready), unit: 'handles', budget: 0, holds: 'at most', detail: words(readyAfter) },
    { name: `handles more than before, at the end, of ${count}`, value: more(after, before), unit: 'handles', budget: 0, holds: 'at most', detail: words(after) },
    { name: `heap after ${count}`, value: grownMb, unit: 'MB more', budget: MOST_HEAP_MB, holds: 'at most', control: heapAgain - heapAtFirst },
  ];
}

/** What keeps the event loop busy by kind, and the open descriptors where the system tells. @returns {Counts} */
function handles() {
  /** @type {Counts} */
  const counts = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  try {
    counts['descriptors'] = readdirSync('/proc/self/fd').length;
  } catch {
    // Only Linux has it.
  }
  return counts;
}

/** @param {Counts} now @param {Counts} before */
function more(now, before) {
  return Object.entries(now).reduce((sum, [kind, count]) => sum + Math.max(0, count - (before[kind] ?? 0)), 0);
}

/** @param {Counts} counts */
function words(counts) {
  return Object.entries(counts).map(([kind, count]) => `${count} ${kind}`).join(', ');
}

/** The handles, once there are no more than before, or once the time for that is over; without a `before`, after a short while. @param {Counts | undefined} before */
async function settled(before) {
  const deadline = performance.now() + (before === undefined ? 500 : SETTLE_LIMIT_MS);
  const isOver = () => performance.now() >= deadline || (before !== undefined && more(handles(), before) === 0);
  while (!isOver()) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  return handles();
}

/** The secret that every process of the server has among its arguments. @param {string[]} args */
function secretOf(args) {
  return args[args.indexOf('--secret') + 1] ?? '';
}

/** How many processes have that among their arguments; where the system does not tell, none are found. @param {string} word */
function runningWith(word) {
  const lines = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
  return lines.filter((line) => line.includes(word)).length;
}

/**
 * Steps of exercises with outages: losing a server, waiting for the next process, for a recovery, for nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Rule } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { LOOK_EVERY_MS } from '../../bench/bounds.ts';
import { awaiting } from '../../bench/waits.ts';
import { nowMs } from '../../history/clock.ts';
import { ended } from '../support/steps.ts';

/** The barrier of a wait for an attempt, the last one of its exercise. */
export const AWAITED = 'the awaited attempt begins';
/** The barrier of {@link quiet}: reached when a process came that should not. */
export const QUIET = 'another process is started';
/** The barrier of {@link recovered}. */
export const RECOVERED = 'the server is ready again';

/** Added to what is due, in milliseconds: a timer of a busy process fires so much late. */
const MARGIN_MS = 50;
/** How long a recovery with delays of some ten milliseconds may take, in milliseconds. */
const RECOVERY_BOUND_MS = 6_000;

/** Whether a record says that a process began. */
export const isStart = awaiting({ started: true }, (record) => record.kind === 'process' && record.event === 'start');

/** So many processes began, counted from the first record that is looked at. */
export function startedTimes(times: number): (record: TraceRecord) => boolean {
  let seen = 0;
  return awaiting({ started: true, times }, (record) => {
    if (isStart(record)) seen += 1;
    return seen >= times;
  });
}

/** What the n-th process of a server does when this method comes. */
export function inLife(incarnation: number | { readonly from: number }, method: string, actions: Rule['do']): Rule {
  const id = `${method}-${typeof incarnation === 'number' ? incarnation : `from-${incarnation.from}`}`;
  return { id: id.replaceAll('/', '-'), when: { method, incarnation }, do: actions };
}

/** The live process ends, as a crash does; waits until it has. */
export async function lose(bench: Bench, server: BenchServer, exitCode = 3): Promise<void> {
  const since = server.fixture.records.length;
  await server.fixture.do([{ exit: exitCode }]);
  await bench.wire(server, 'it ended', ended, { since });
}

/** Waits until the subject says that the server can be called; records {@link RECOVERED}. @returns whether it did. */
export async function recovered(bench: Bench, server: BenchServer, what = RECOVERED, boundMs = RECOVERY_BOUND_MS): Promise<boolean> {
  const deadlineMs = nowMs() + boundMs;
  for (;;) {
    const { servers } = await bench.state();
    const reached = servers.some(({ name, state }) => name === server.name && state === 'ready');
    if (reached || nowMs() > deadlineMs) {
      bench.record({ atMs: nowMs(), kind: 'barrier', what, reached, boundMs, until: { server: server.name, ready: true } });
      return reached;
    }
    await wait(LOOK_EVERY_MS);
  }
}

/**
 * Waits until an attempt that is due within `dueMs` would have told of itself: until it was due, and then until a process
 * that the suite itself starts only then has told of itself. The barrier {@link QUIET} is not reached when all is well.
 */
export async function quiet(bench: Bench, server: BenchServer, dueMs: number): Promise<void> {
  const since = server.fixture.records.length;
  if (!(await bench.wire(server, `${QUIET}, while it may be due`, isStart, { since, boundMs: dueMs + MARGIN_MS }))) await laterProcess(bench, server.name);
  await bench.wire(server, QUIET, isStart, { since, boundMs: MARGIN_MS });
}

/** Starts a process of no server of the subject, waits for its first word, and lets it go. */
async function laterProcess(bench: Bench, name: string): Promise<void> {
  const later = bench.serve(`later-than-${name}`, { scenario: 1 });
  const child = spawn(later.fixture.command, [...later.fixture.args], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ending = once(child, 'exit');
  await bench.wire(later, 'a process that was started later has begun', isStart);
  child.stdin.end();
  await ending;
}

/** Between two signs of life, in milliseconds, and how many: as long as any subject may take to end a process. */
const SIGN_EVERY_MS = 10;
const SIGNS = 800;

/** The n-th process will not leave before it is killed, and leaves a record again and again for as long as it lives. Counts from the spawn. */
export function stubborn(incarnation: number): Rule {
  return { id: 'stubborn', when: { spawn: true, incarnation }, do: [{ ignoreTerm: true }, ...Array.from({ length: SIGNS }, () => ({ delay: SIGN_EVERY_MS }))] };
}

/** Options that end a stubborn process soon, where the subject has them. */
export function graces(bench: Bench, graceMs: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(['closeGraceMs', 'terminateGraceMs'].filter((name) => bench.subject.options.includes(name)).map((name) => [name, graceMs]));
}

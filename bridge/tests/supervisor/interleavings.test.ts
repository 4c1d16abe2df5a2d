/**
 * Any interleaving of what a server, time and an operator may do: attempts that open, fail or cannot be ended, listings,
 * crashes, notices and a disposal at any point, in any order, against an independent account (S52-S60).
 */
import { array, assert, asyncProperty, constant, constantFrom, integer, oneof, option, record, scheduler, type Arbitrary, type Scheduler } from 'fast-check';
import { expect, it } from 'vitest';
import type { ReconnectPolicy } from '../../src/reconnect-budget.ts';
import { bridgeState } from '../../src/state.ts';
import { settle } from '../helpers-logic/manual-clock.ts';
import { MemoryHost, memoryConfig } from '../helpers-logic/memory-host.ts';
import { MemoryServer } from '../helpers-logic/scripted-session.ts';
import { World, type Fate } from './world.ts';

const lists = constantFrom(['a'], ['a', 'b'], ['b'], []);

const fates: Arbitrary<Fate> = record({
  opens: oneof({ weight: 8, arbitrary: constant('well' as const) }, { weight: 3, arbitrary: constant('not' as const) }, { weight: 1, arbitrary: constant('unproven' as const) }),
  lists: oneof({ weight: 8, arbitrary: constant('well' as const) }, { weight: 2, arbitrary: constantFrom('not' as const, 'void' as const) }),
  tools: lists,
  later: lists,
  livesMs: option(integer({ min: 0, max: 120 }), { nil: undefined, freq: 8 }),
  isProven: oneof({ weight: 12, arbitrary: constant(true) }, { weight: 1, arbitrary: constant(false) }),
});

const policies: Arbitrary<ReconnectPolicy> = record({
  enabled: oneof({ weight: 9, arbitrary: constant(true) }, { weight: 1, arbitrary: constant(false) }),
  initialDelayMs: constantFrom(1, 10, 40),
  maxDelayMs: constantFrom(40, 60, 100),
  maxAttempts: integer({ min: 1, max: 4 }),
});

/** One thing that happens next, where it can: a step of the server, time, a notice, a crash, a call. */
const moves = array(
  oneof(
    { weight: 8, arbitrary: constant({ kind: 'step' as const, ms: 0 }) },
    { weight: 6, arbitrary: record({ kind: constant('time' as const), ms: integer({ min: 1, max: 120 }) }) },
    { weight: 2, arbitrary: record({ kind: constantFrom('notify' as const, 'crash' as const, 'call' as const), ms: constant(0) }) },
  ),
  { minLength: 5, maxLength: 60 },
);

interface Plan {
  readonly policy: ReconnectPolicy;
  readonly isStrict: boolean;
  readonly incarnations: readonly Fate[];
  readonly steps: readonly { readonly kind: 'step' | 'time' | 'notify' | 'crash' | 'call'; readonly ms: number }[];
  /** After which move it is disposed; the last at the latest. */
  readonly disposeAfter: number;
}

const plans: Arbitrary<Plan> = record({
  policy: policies,
  isStrict: oneof({ weight: 4, arbitrary: constant(false) }, { weight: 1, arbitrary: constant(true) }),
  incarnations: array(fates, { minLength: 1, maxLength: 8 }),
  steps: moves,
  disposeAfter: integer({ min: 0, max: 80 }),
});

/** How often the runs met what they are for. */
const met = { retried: 0, recovered: 0, givenUp: 0, unproven: 0, disposedInOutage: 0 };

async function run(steps: Scheduler, plan: Plan): Promise<void> {
  const host = new MemoryHost();
  const world = new World(steps, plan.incarnations, plan.policy, plan.isStrict);
  const { account } = world;
  const instance = host.load(memoryConfig({ reconnect: plan.policy, failOnStartupError: plan.isStrict }), new MemoryServer(), { openSession: world.open, clock: world.clock });
  const look = async (): Promise<void> => {
    await settle();
    expect(world.wrong).toEqual([]);
    expect(host.names).toEqual(account.tools.map((name) => `mcp__mem__${name}`));
    if (account.dueAt !== undefined) expect(account.dueAt).toBeGreaterThan(world.time.now());
    const state = bridgeState(host.root)[0];
    if (state === undefined) return;
    expect(state.toolCount).toBe(host.names.length);
    expect(state.state === 'reconnecting' && state.nextDelayMs !== undefined && world.alive === 0).toBe(account.dueAt !== undefined);
  };
  await look();
  for (const { kind, ms } of plan.steps.slice(0, plan.disposeAfter + 1)) {
    if (kind === 'step' && steps.count() > 0) await steps.waitOne();
    if (kind === 'time') await world.time.advance(ms);
    if (kind === 'notify') world.current?.notify();
    if (kind === 'crash') world.current?.crash();
    if (kind === 'call') await callAll(host);
    await look();
  }
  const [state] = bridgeState(host.root);
  if (world.begun > 1) met.retried += 1;
  if (world.begun > 1 && state?.state === 'ready') met.recovered += 1;
  if (host.logs.some(({ message }) => message.includes('given up'))) met.givenUp += 1;
  if (host.logs.some(({ message }) => message.includes('reconnection stops'))) met.unproven += 1;
  if (state?.state === 'reconnecting') met.disposedInOutage += 1;

  const isGone = bridgeState(host.root).length === 0;
  account.disposed();
  let isDisposed = false;
  const disposal = instance.dispose().then(() => (isDisposed = true));
  expect(host.names).toEqual([]);
  expect(world.timers).toBe(0);
  await settle();
  while (steps.count() > 0) {
    expect(isDisposed && world.alive > world.leftOver).toBe(false);
    await steps.waitOne();
    await settle();
  }
  await disposal;
  const { begun } = world;
  await world.time.advance(100_000);
  expect(world.begun).toBe(begun);
  expect(world.timers).toBe(0);
  expect(bridgeState(host.root)).toEqual([]);
  expect(host.names).toEqual([]);
  // What could not be ended is the only thing left, and somebody was told.
  if (world.alive > 0) expect(host.lines('error').some((line) => /reconnection stops|still there|did not open/.test(line))).toBe(true);
  if (plan.isStrict && !isGone) await instance.activated.catch(() => undefined);
}

/** Every call settles at once, and a call that cannot be sent says so. */
async function callAll(host: MemoryHost): Promise<void> {
  for (const name of host.names) {
    const outcome = await Promise.race([host.call(name).then(() => 'called', (error: unknown) => error), settle().then(() => 'hangs')]);
    if (outcome !== 'called') expect(outcome).toMatchObject({ code: 'not-connected', executed: 'no' });
  }
}

it('never has two servers at once, counts every attempt and delay exactly, and leaves nothing after a disposal', async () => {
  await assert(asyncProperty(scheduler(), plans, run), { numRuns: 600 });
  for (const count of Object.values(met)) expect(count).toBeGreaterThan(10);
});

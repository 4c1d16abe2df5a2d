/** Defects in when and how often a lost server is tried again. */
import { performance } from 'node:perf_hooks';
import { referenceStages, type BridgeStages, type BudgetState, type DecideReconnect, type ReconnectPolicy } from 'cordis-plugin-mcp-bridge/internal';
import { mutant, type Mutant } from '../mutant.ts';
import { replaced } from '../model/sessions.ts';
import { withStages } from '../plant.ts';

const { decideReconnect, openSession, drainTools, clock, swapGeneration } = referenceStages;

/** The reference that decides otherwise. */
const deciding = (decide: DecideReconnect): ReturnType<typeof withStages> => withStages(() => ({ decideReconnect: decide }));

/** The reference that decides by another policy. */
const under = (change: (policy: ReconnectPolicy) => Partial<ReconnectPolicy>): ReturnType<typeof withStages> =>
  deciding((policy, state, nowMs) => decideReconnect({ ...policy, ...change(policy) }, state, nowMs));

/** The reference that remembers otherwise. */
const remembering = (change: (state: BudgetState) => BudgetState): ReturnType<typeof withStages> =>
  deciding((policy, state, nowMs) => decideReconnect(policy, change(state), nowMs));

/** A delay, changed. */
const delaying = (change: (delayMs: number, policy: ReconnectPolicy) => number): ReturnType<typeof withStages> =>
  deciding((policy, state, nowMs) => {
    const { state: next, decision } = decideReconnect(policy, state, nowMs);
    return { state: next, decision: decision.kind === 'retry' ? { ...decision, delayMs: change(decision.delayMs, policy) } : decision };
  });

/** The n-th delay is n times the first. */
const growingEvenly = (): Partial<BridgeStages> => ({
  decideReconnect: (policy, state, nowMs) => {
    const { state: next, decision } = decideReconnect(policy, state, nowMs);
    if (decision.kind !== 'retry') return { state: next, decision };
    return { state: next, decision: { ...decision, delayMs: Math.min(policy.maxDelayMs, decision.attempt * policy.initialDelayMs) } };
  },
});

/** The delay counts from a failed listing rather than from the end of its process. */
function fromTheFailure(): Partial<BridgeStages> {
  let failedAtMs = Number.POSITIVE_INFINITY;
  return {
    drainTools: async (...args) => {
      try {
        return await drainTools(...args);
      } catch (error) {
        failedAtMs = performance.now();
        throw error;
      }
    },
    clock: {
      now: () => clock.now(),
      schedule: (delayMs, callback) => {
        const elapsedMs = Math.max(0, performance.now() - failedAtMs);
        failedAtMs = Number.POSITIVE_INFINITY;
        return clock.schedule(Math.max(0, delayMs - elapsedMs), callback);
      },
    },
  };
}

/** Each listing that fails on a live connection costs an attempt. */
function spendingOnRefreshes(): Partial<BridgeStages> {
  let spent = 0;
  const listed = new WeakSet<object>();
  return {
    drainTools: async (server, session, limits) => {
      try {
        const tools = await drainTools(server, session, limits);
        listed.add(session);
        return tools;
      } catch (error) {
        if (listed.has(session) && session.isOpen) spent += 1;
        throw error;
      }
    },
    decideReconnect: (policy, state, nowMs) => {
      const left = policy.maxAttempts - spent;
      spent = 0;
      return decideReconnect({ ...policy, maxAttempts: left }, state, nowMs);
    },
  };
}

/** Uptime counts from when a connection was begun. */
function fromTheBeginning(): Partial<BridgeStages> {
  let beganAtMs = 0;
  return {
    openSession: (options) => {
      beganAtMs = clock.now();
      return openSession(options);
    },
    decideReconnect: (policy, state, nowMs) => decideReconnect(policy, state.stableSinceMs === undefined ? state : { ...state, stableSinceMs: beganAtMs }, nowMs),
  };
}

/** A failed attempt is not waited for: its process may still be leaving. */
const notWaitedFor = (): Partial<BridgeStages> => ({
  openSession: async (options) => {
    const session = await openSession(options);
    return replaced(session, {
      close: async () => {
        const closing = session.close();
        if (options.signal?.aborted === true) await closing;
        else closing.catch(() => undefined);
      },
    });
  },
});

/** Only the leader is ended; who belongs to it stays. */
const leaderOnly = (): Partial<BridgeStages> => ({
  openSession: (options) => openSession({
    ...options,
    effects: {
      ...options.effects,
      control: {
        spawnOptions: { detached: false },
        treeOf: (child) => ({ signal: (signal) => child.kill(signal), isAlive: () => child.exitCode === null && child.signalCode === null }),
      },
    },
  }),
});

/** Giving up takes no tool away. */
function keepingTools(): Partial<BridgeStages> {
  let isSpent = false;
  return {
    decideReconnect: (policy, state, nowMs) => {
      const decided = decideReconnect(policy, state, nowMs);
      isSpent = decided.decision.kind === 'exhausted';
      return decided;
    },
    swapGeneration: (input) => (isSpent && input.next.length === 0 ? { generation: input.current, kept: input.current.length, conflict: undefined } : swapGeneration(input)),
  };
}

/** See the names. */
export const attemptMutants: readonly Mutant[] = [
  mutant('CONNECTION-010', 'delays-do-not-grow', { kind: 'stage', create: () => delaying((_delay, { initialDelayMs }) => initialDelayMs) }),
  mutant('CONNECTION-010', 'delays-stop-growing-early', {
    kind: 'stage', create: () => delaying((delay, { initialDelayMs }) => Math.min(delay, 4 * initialDelayMs)),
  }),
  mutant('CONNECTION-010', 'delays-grow-evenly', { kind: 'stage', create: () => withStages(growingEvenly) }),
  mutant('CONNECTION-010', 'waits-far-too-long', { kind: 'stage', create: () => delaying((delay) => (delay === 60 ? delay + 4_000 : delay)) }),
  mutant('CONNECTION-010', 'counts-from-the-failure', { kind: 'stage', create: () => withStages(fromTheFailure) }),
  mutant('CONNECTION-011', 'counts-the-loss', { kind: 'stage', create: () => under(({ maxAttempts }) => ({ maxAttempts: maxAttempts - 1 })) }),
  mutant('CONNECTION-011', 'one-attempt-more', { kind: 'stage', create: () => under(({ maxAttempts }) => ({ maxAttempts: maxAttempts + 1 })) }),
  mutant('CONNECTION-011', 'counts-the-failed-start', { kind: 'stage', create: () => remembering((state) => (state.attempts === 0 && state.stableSinceMs === undefined ? { ...state, attempts: 1 } : state)) }),
  mutant('CONNECTION-011', 'failed-refreshes-spend', { kind: 'stage', create: () => withStages(spendingOnRefreshes) }),
  mutant('CONNECTION-011', 'keeps-the-tools', { kind: 'stage', create: () => withStages(keepingTools) }),
  mutant('CONNECTION-012', 'a-brief-success-resets', { kind: 'stage', create: () => remembering((state) => (state.stableSinceMs === undefined ? state : { ...state, attempts: 0 })) }),
  mutant('CONNECTION-012', 'half-an-uptime-resets', {
    kind: 'stage',
    create: () => deciding((policy, state, nowMs) => {
      const { stableSinceMs } = state;
      const isHalf = stableSinceMs !== undefined && nowMs - stableSinceMs >= policy.maxDelayMs / 2;
      return decideReconnect(policy, isHalf ? { ...state, attempts: 0 } : state, nowMs);
    }),
  }),
  mutant('CONNECTION-012', 'never-resets', { kind: 'stage', create: () => remembering((state) => ({ ...state, stableSinceMs: undefined })) }),
  mutant('CONNECTION-012', 'counts-from-the-beginning', { kind: 'stage', create: () => withStages(fromTheBeginning) }),
  mutant('CONNECTION-016', 'tries-although-it-is-off', { kind: 'stage', create: () => under(() => ({ enabled: true })) }),
  mutant('CONNECTION-017', 'does-not-wait-for-the-end', { kind: 'stage', create: () => withStages(notWaitedFor) }),
  mutant('CONNECTION-017', 'kills-the-leader-only', { kind: 'wire', create: () => withStages(leaderOnly) }),
];

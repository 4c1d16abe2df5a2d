import { assert, constant, integer, property, record, type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connected, FRESH_BUDGET, lost, reconnectDelayMs, type BudgetState, type ReconnectPolicy } from '../src/reconnect-budget.ts';

const DEFAULTS: ReconnectPolicy = { enabled: true, initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 10 };

/** All decisions of failures in a row, until the budget is spent. */
function failures(policy: ReconnectPolicy, from: BudgetState = FRESH_BUDGET): number[] {
  const delays: number[] = [];
  let state = from;
  for (;;) {
    const next = lost(policy, state, 0);
    state = next.state;
    if (next.decision.kind !== 'retry') return delays;
    delays.push(next.decision.delayMs);
  }
}

const policies: Arbitrary<ReconnectPolicy> = record({ enabled: constant(true), initialDelayMs: integer({ min: 1, max: 5000 }), spread: integer({ min: 0, max: 60_000 }), maxAttempts: integer({ min: 1, max: 40 }) })
  .map(({ spread, ...rest }) => ({ ...rest, maxDelayMs: rest.initialDelayMs + spread }));

describe('the reconnect budget', () => {
  it('doubles from the first delay to the longest, by default 500 ms to 30 s over ten attempts (S07, S52, S53)', () => {
    expect(failures(DEFAULTS)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  it('allows exactly maxAttempts attempts in one outage, and never an infinite or zero delay', () => {
    assert(
      property(policies, (policy) => {
        const delays = failures(policy);
        expect(delays).toHaveLength(policy.maxAttempts);
        for (const [index, delay] of delays.entries()) {
          expect(delay).toBe(Math.min(policy.maxDelayMs, policy.initialDelayMs * 2 ** index));
          expect(delay).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('keeps counting through a connection that dies before maxDelayMs, and starts afresh after one that outlives it (S54)', () => {
    assert(
      property(policies, integer({ min: 0, max: 100_000 }), (policy, uptimeMs) => {
        const opened = lost(policy, FRESH_BUDGET, 0).state;
        const again = lost(policy, connected(opened, 1000), 1000 + uptimeMs);
        if (uptimeMs >= policy.maxDelayMs) expect(again.decision).toMatchObject({ kind: 'retry', attempt: 1 });
        else if (policy.maxAttempts === 1) expect(again.decision).toEqual({ kind: 'exhausted', attempts: 1 });
        else expect(again.decision).toEqual({ kind: 'retry', attempt: 2, delayMs: reconnectDelayMs(policy, 2) });
      }),
    );
  });

  it('does not count the loss that opens the outage', () => {
    const only: ReconnectPolicy = { ...DEFAULTS, maxAttempts: 1 };
    const first = lost(only, connected(FRESH_BUDGET, 0), 5);
    expect(first.decision).toEqual({ kind: 'retry', attempt: 1, delayMs: 500 });
    expect(lost(only, first.state, 6).decision).toEqual({ kind: 'exhausted', attempts: 1 });
  });

  it('decides nothing when it is disabled (S57)', () => {
    expect(lost({ ...DEFAULTS, enabled: false }, connected(FRESH_BUDGET, 0), 1).decision).toEqual({ kind: 'disabled' });
  });
});

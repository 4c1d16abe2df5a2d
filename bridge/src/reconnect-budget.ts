/**
 * The reconnect budget of one instance (S52–S54): pure, with the clock passed in. It decides, the supervisor acts.
 *
 * An outage begins when a connection is lost or the first start fails, and allows `maxAttempts` attempts. It ends when a
 * connection has outlived `maxDelayMs`, counted from the end of its discovery; until then a connection that comes and
 * goes stays inside the same outage, so a crash loop with brief successes is bounded too.
 */

/** What a user may set (S07). Times in milliseconds. */
export interface ReconnectPolicy {
  /** Default true. */
  readonly enabled: boolean;
  /** Delay before the first attempt, default 500. */
  readonly initialDelayMs: number;
  /** Longest delay, and the uptime that ends an outage; default 30 000. */
  readonly maxDelayMs: number;
  /** Attempts in one outage, default 10. */
  readonly maxAttempts: number;
}

/** The state between two decisions. */
export interface BudgetState {
  /** Attempts begun in the present outage; 0 when there is none. */
  readonly attempts: number;
  /** When the discovery of the live connection ended, in milliseconds; absent without a live connection. */
  readonly stableSinceMs: number | undefined;
}

/** What to do after a loss or a failed attempt. */
export type BudgetDecision =
  | { readonly kind: 'retry'; readonly attempt: number; readonly delayMs: number }
  | { readonly kind: 'exhausted'; readonly attempts: number }
  | { readonly kind: 'disabled' };

/** Decides what follows a loss or a failed attempt; {@link lost} is the rule. */
export type DecideReconnect = (policy: ReconnectPolicy, state: BudgetState, nowMs: number) => { state: BudgetState; decision: BudgetDecision };

/** No outage, no connection. */
export const FRESH_BUDGET: BudgetState = { attempts: 0, stableSinceMs: undefined };

/** The delay before the n-th attempt, n from 1 (S52). No jitter: a host has few servers, and tests can be exact. */
export function reconnectDelayMs(policy: ReconnectPolicy, attempt: number): number {
  // The exponent is capped only so that the product stays finite; maxDelayMs is far below 2^52 times any delay.
  return Math.min(policy.maxDelayMs, policy.initialDelayMs * 2 ** Math.min(attempt - 1, 52));
}

/** A connection finished its discovery at `nowMs`: its uptime counts from here (S54). */
export function connected(state: BudgetState, nowMs: number): BudgetState {
  return { attempts: state.attempts, stableSinceMs: nowMs };
}

/** A connection was lost, or an attempt or the first start failed, at `nowMs`. */
export function lost(policy: ReconnectPolicy, state: BudgetState, nowMs: number): { state: BudgetState; decision: BudgetDecision } {
  const outlived = state.stableSinceMs !== undefined && nowMs - state.stableSinceMs >= policy.maxDelayMs;
  const attempts = outlived ? 0 : state.attempts;
  if (!policy.enabled) return { state: { attempts, stableSinceMs: undefined }, decision: { kind: 'disabled' } };
  if (attempts >= policy.maxAttempts) {
    return { state: { attempts, stableSinceMs: undefined }, decision: { kind: 'exhausted', attempts } };
  }
  const attempt = attempts + 1;
  return {
    state: { attempts: attempt, stableSinceMs: undefined },
    decision: { kind: 'retry', attempt, delayMs: reconnectDelayMs(policy, attempt) },
  };
}

/**
 * What S52–S54 make of the lives of a server: which attempt each process is, when it was due, when there is none any more.
 * Pure, and told from the entry and the wire alone.
 */
import { SLACK_MS } from '../../bench/bounds.ts';
import type { History } from '../../history/schema.ts';
import { eventsOf, isObject } from '../../history/views.ts';
import { listedAt, livesOf, type Life } from './lives.ts';

/** How outages are retried (S07). */
export interface Policy {
  readonly enabled: boolean;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxAttempts: number;
}

/** What holds where an entry says nothing (S07). */
export const DEFAULT_POLICY: Policy = { enabled: true, initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 10 };

/**
 * Added to a due delay: a loaded machine, twice, since the end of a process has to be noticed and the next one started.
 */
export const ATTEMPT_SLACK_MS = 2 * SLACK_MS;

/** The policy of a server: of the last entry that the subject was given for it. */
export function policyOf(history: History, server: string): Policy {
  const entry = eventsOf(history, 'request').flatMap(({ event }) => event.servers).findLast(({ name }) => name === server);
  const given = entry?.options?.['reconnect'];
  return isObject(given) ? { ...DEFAULT_POLICY, ...given } : DEFAULT_POLICY;
}

/** The delay before the n-th attempt of an outage, n from 1 (S52). */
export function dueDelayMs({ initialDelayMs, maxDelayMs }: Policy, attempt: number): number {
  return Math.min(maxDelayMs, initialDelayMs * 2 ** (attempt - 1));
}

/** What was due after one life, and what came. */
export interface Turn {
  readonly life: Life;
  /** The process after it, if there was one. */
  readonly next: Life | undefined;
  /** The number of the attempt that was due; `undefined` when the budget was spent. */
  readonly attempt: number | undefined;
  /** How long this connection was up, at most; `undefined` when it never listed its tools. */
  readonly uptimeMs: number | undefined;
  /** Whether the uptime is so near the bound that it cannot be told on which side of it the subject saw it. */
  readonly isClose: boolean;
}

/**
 * Goes through the lives of one server up to a position, as S53 and S54 count: a connection that outlived `maxDelayMs`
 * begins a new outage, any other goes on with the one there is.
 */
export function turnsOf(history: History, server: string, before = history.length): Turn[] {
  const policy = policyOf(history, server);
  const lives = livesOf(history, server).filter(({ start }) => start.index < before);
  let attempts = 0;
  return lives.map((life, at) => {
    const uptimeMs = uptimeOf(history, server, life);
    // What had no attempt to forget is the same on either side of the bound.
    const matters = attempts > 0;
    if (uptimeMs !== undefined && uptimeMs >= policy.maxDelayMs) attempts = 0;
    const attempt = attempts < policy.maxAttempts ? attempts + 1 : undefined;
    attempts = attempt ?? attempts;
    return { life, next: lives[at + 1], attempt, uptimeMs, isClose: matters && uptimeMs !== undefined && isClose(uptimeMs, policy.maxDelayMs) };
  });
}

function uptimeOf(history: History, server: string, life: Life): number | undefined {
  const listed = listedAt(history, server, life);
  return listed === undefined ? undefined : life.lastSign.event.atMs - listed.event.atMs;
}

/** How much later than a server a subject may see an end of an uptime, in milliseconds; a busy machine is late by less. */
const SEEN_LATE_MS = 200;

/** A subject sees both ends of an uptime a little later than the server, so near the bound nothing is certain: within half and twice the bound, at most. */
function isClose(uptimeMs: number, maxDelayMs: number): boolean {
  return uptimeMs > maxDelayMs - Math.min(maxDelayMs / 2, SEEN_LATE_MS) && uptimeMs < maxDelayMs + Math.min(maxDelayMs, SEEN_LATE_MS);
}

/** Milliseconds from the last sign of one process to the beginning of the next. */
export function gapMs({ life, next }: Turn): number | undefined {
  return next === undefined ? undefined : next.beganAtMs - life.lastSign.event.atMs;
}

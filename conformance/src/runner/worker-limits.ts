/**
 * Bounds of the way to a subject, in milliseconds. The environment may change them: for a subject that takes longer to start
 * than any should, and for tests.
 */
import { z } from 'zod';
import { AdapterError } from '../adapter/bridge-adapter.ts';
import { DRIVER_BOUNDS, type DriverBounds } from '../adapter/driver-bounds.ts';
import { START_LIMIT_MS } from './limits.ts';

/** Bounds of a worker's way to its subject. */
export interface WorkerLimits {
  /** For a start: making an adapter and `describe`; again for the round by which one after a hung one proves itself. */
  readonly startMs: number;
  /** For `describe` of a live adapter, asked when something else was not answered. */
  readonly answerMs: number;
  /** For ending an adapter in order, and for the processes of those that were given up. */
  readonly endMs: number;
  /** How long a subject in the worker's own process may keep it from the event loop; then the process is killed. */
  readonly blockedMs: number;
  /** After so many starts in a row that failed nothing more is tried. */
  readonly failedStarts: number;
}

/** Defaults: a subject that never answers costs a worker less than two minutes in all. */
export const WORKER_LIMITS: WorkerLimits = {
  startMs: START_LIMIT_MS, answerMs: 10_000, endMs: 15_000,
  // Some hundred times what a busy machine keeps an idle process waiting.
  blockedMs: 20_000,
  failedStarts: 3,
};

/** The variable that changes some of them: a JSON object with members of {@link WorkerLimits}. */
export const LIMITS_VARIABLE = 'MCP_CONFORMANCE_LIMITS';

/** The longest time of a timer of Node; a longer one would strike at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const positive = z.int().min(1).max(MAX_TIMER_MS).exactOptional();
const someLimits = z.strictObject({ startMs: positive, answerMs: positive, endMs: positive, blockedMs: positive, failedStarts: positive });

/**
 * The limits that hold in this process.
 * @throws AdapterError `misuse` when the variable is no such object
 */
export function workerLimits(text = process.env[LIMITS_VARIABLE]): WorkerLimits {
  if (text === undefined || text === '') return WORKER_LIMITS;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new AdapterError('misuse', `${LIMITS_VARIABLE} is no JSON; give an object such as {"startMs":60000}`, { cause });
  }
  const limits = someLimits.safeParse(json);
  if (limits.success) return { ...WORKER_LIMITS, ...limits.data };
  const issue = limits.error.issues[0];
  throw new AdapterError('misuse', `${LIMITS_VARIABLE}: ${[...(issue?.path ?? []), issue?.message].join(' ')}; it knows ${Object.keys(WORKER_LIMITS).join(', ')}`);
}

/** The bounds of a driver process that go with them. */
export function driverBounds({ startMs, answerMs }: WorkerLimits): DriverBounds {
  return { ...DRIVER_BOUNDS, startMs, answerMs: Math.min(answerMs, DRIVER_BOUNDS.answerMs), silenceMs: Math.min(answerMs, DRIVER_BOUNDS.silenceMs) };
}

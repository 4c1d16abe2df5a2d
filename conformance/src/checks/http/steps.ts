/** Steps of exercises over HTTP: opening, coming back after a loss, waiting for requests. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ScenarioInput } from 'mcp-fixture-server/scenario';
import type { TraceRecord } from 'mcp-fixture-server/trace';
import type { Bench, BenchServer } from '../../bench/bench.ts';
import { SLACK_MS } from '../../bench/bounds.ts';
import { nowMs } from '../../history/clock.ts';
import { STEADY } from '../support/scripts.ts';
import { ask } from '../support/steps.ts';

/** The barrier of {@link backAgain}. */
export const BACK = 'the server can be called again';

/** Between two calls of a server that may not be back yet, in milliseconds. */
const ASK_EVERY_MS = 50;

/** Delays that let a recovery be quick, and last until a server is back, where the subject can be told so. */
export function quickly(bench: Bench): { readonly options?: Readonly<Record<string, unknown>> } {
  return bench.subject.options.includes('reconnect') ? { options: { reconnect: { initialDelayMs: 20, maxDelayMs: 100, maxAttempts: 200 } } } : {};
}

/** Longer than a prompt end may take, in milliseconds. */
const FAR_MS = 30_000;

/** Options by which what ends a call is no timeout, where a subject can be told. */
export function patience(bench: Bench): Readonly<Record<string, unknown>> {
  return bench.subject.options.includes('toolCallTimeoutMs') ? { toolCallTimeoutMs: FAR_MS } : {};
}

/** Declares a server over HTTP and opens the subject with it alone. */
export async function openWeb(bench: Bench, name: string, scenario: ScenarioInput, options: Readonly<Record<string, unknown>> = {}): Promise<BenchServer> {
  const server = await bench.serveHttp(name, scenario, Object.keys(options).length === 0 ? {} : { options });
  await bench.open([server]);
  return server;
}

/** How long a recovery with delays of some ten milliseconds may take, in milliseconds. */
const RECOVERY_BOUND_MS = 4_000;

/** How long a subject may take to come back, in milliseconds: as it declares, or less where it was told to be {@link quickly}. */
export function recoveryBoundMs({ subject }: Bench): number {
  return subject.options.includes('reconnect') ? RECOVERY_BOUND_MS : subject.bounds.reconnectMs + SLACK_MS;
}

/**
 * Calls {@link STEADY} until a call succeeds: a bridge may find out by a call only that a server was gone, or that it is back.
 * Bounded by what the subject declares, by less where it was told to be quick; records {@link BACK}.
 */
export async function backAgain(bench: Bench, server: string): Promise<boolean> {
  const boundMs = recoveryBoundMs(bench);
  const deadlineMs = nowMs() + boundMs;
  let reached = false;
  while (!reached && nowMs() < deadlineMs) {
    reached = (await ask(bench, server, STEADY))?.outcome === 'ok';
    if (!reached) await wait(ASK_EVERY_MS);
  }
  bench.record({ atMs: nowMs(), kind: 'barrier', what: BACK, reached, boundMs });
  return reached;
}

/** Whether a record is so many-th HTTP request of this method, counted from the first record that is looked at. */
export function requestedTimes(method: 'GET' | 'POST' | 'DELETE', times = 1): (record: TraceRecord) => boolean {
  let seen = 0;
  return (record) => {
    if (record.kind === 'frame' && record.direction === 'client-to-server' && record.http?.method === method) seen += 1;
    return seen >= times;
  };
}

/** What has to hold of a session whatever its server sends: it works, or it fails with a clear error, in its time. */
import { expect } from 'vitest';
import { openSession, type ConnectionEffects, type ConnectionTarget, type OpenedSession } from '../../src/client-session.ts';
import type { ConnectionLimits } from '../../src/connection-limits.ts';
import { BridgeError } from '../../src/errors.ts';

/** Short, since many servers of these tests say nothing; a limit that is reached is a clear error too. */
export const LIMITS: Partial<ConnectionLimits> = {
  connectTimeoutMs: 60, closeGraceMs: 30, terminateGraceMs: 30, killWaitMs: 30, drainAfterExitMs: 10, noticePostTimeoutMs: 60, probeTimeoutMs: 40,
  lossGraceMs: 5, answerDrainMs: 10, errorBodyTimeoutMs: 20, streamRetryMs: 1, maxStreamRetryMs: 5, maxStreamAttempts: 3, maxMessageBytes: 1_000_000,
};
/** Limits under which only a defect is late, on the busiest machine. */
export const PATIENT: Partial<ConnectionLimits> = { ...LIMITS, connectTimeoutMs: 30_000, noticePostTimeoutMs: 30_000, closeGraceMs: 5_000 };
/** One request, milliseconds. */
export const REQUEST_MS = 40;
/** No run takes longer unless something hangs. */
const HANG_MS = 30_000;
/** Longest message of an error: the server's last words are in it, eight kilobytes at most. */
const LONGEST_MESSAGE = 12_000;
const PAGES = 3;

/** Waits; fails when that takes far longer than every limit. */
export async function settled<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), HANG_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Fails for anything but a clear error of the bridge. */
export function expectClear(error: unknown): void {
  if (!(error instanceof BridgeError)) throw new Error('an error that is not the bridge\'s own', { cause: error });
  expect(error.code).toMatch(/^[a-z-]+$/);
  expect(error.message.length).toBeGreaterThan(10);
  expect(error.message.length).toBeLessThan(LONGEST_MESSAGE);
  expect(error.message).not.toMatch(/undefined|\[object/);
}

/** What came, or `undefined` after a clear error. */
export async function clear<Value>(what: string, promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await settled(what, promise);
  } catch (error) {
    expectClear(error);
    return undefined;
  }
}

/** A session with short limits. */
export function openAnew(target: ConnectionTarget, effects: ConnectionEffects = {}, limits = LIMITS): Promise<OpenedSession> {
  return openSession({
    serverName: 'fuzz', target, effects, limits,
    listeners: {
      onToolListChanged: () => {},
      onDiagnostic: (_level, message) => expect(message.length).toBeLessThan(LONGEST_MESSAGE),
    },
  });
}

/** Opens, lists, calls and closes, and judges every step. */
export async function useSession(opening: Promise<OpenedSession>): Promise<void> {
  const session = await clear('opening', opening);
  if (session === undefined) return;
  let cursor: string | undefined;
  for (let page = 1; page <= PAGES; page += 1) {
    const list = await clear('listing', session.listToolsPage(cursor, { timeoutMs: REQUEST_MS }));
    if (list !== undefined) expect(Array.isArray(list.tools)).toBe(true);
    cursor = list?.nextCursor;
    if (cursor === undefined) break;
  }
  const calls = [1, 2].map((value) => clear('a call', session.callTool('echo', { value }, { timeoutMs: REQUEST_MS })));
  for (const result of await Promise.all(calls)) if (result !== undefined) expect(Object.keys(result)).toBeInstanceOf(Array);
  await clear('closing', session.close());
  await settled('the end', session.closed);
  expect(session.isOpen).toBe(false);
}

/** A sound server is served as ever. */
export async function expectHealthy(opening: Promise<OpenedSession>): Promise<void> {
  const session = await settled('opening a healthy server', opening);
  const { tools } = await session.listToolsPage(undefined, { timeoutMs: HANG_MS });
  expect(tools).toHaveLength(1);
  expect(await session.callTool('echo', {}, { timeoutMs: HANG_MS })).toEqual({ content: [{ type: 'text', text: 'hello' }] });
  await settled('closing', session.close());
}

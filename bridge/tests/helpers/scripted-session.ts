/** Opens sessions to the scripted server and sees to it that none is left when a test ends. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { openSession, type ConnectionTarget, type OpenedSession, type OpenSessionOptions } from '../../src/client-session.ts';
import { BridgeError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/host-services.ts';
import type { RequestLimits } from '../../src/session.ts';
import { isJsonObject } from '../../src/transport/narrow.ts';

/** Plenty: a test that needs it has failed. */
export const LIMITS: RequestLimits = { timeoutMs: 30_000 };

const script = fileURLToPath(new URL('./scripted-server.mjs', import.meta.url));

/** One report of a session. */
export interface Diagnostic {
  readonly level: string;
  readonly message: string;
}

/** A message that the server received. */
export interface ReceivedMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: JsonObject;
}

/** A session to the scripted server and what it reported. */
export interface Scripted {
  readonly session: OpenedSession;
  readonly diagnostics: Diagnostic[];
  /** Number of list changes that were noticed. */
  readonly listChanges: () => number;
  /** Calls a tool of the scripted server and returns its structured content. */
  readonly ask: (tool: string, args?: JsonObject) => Promise<JsonObject>;
  /** The messages the server has received so far. */
  readonly received: () => Promise<ReceivedMessage[]>;
}

const opened: OpenedSession[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((session) => session.close().catch(() => {})));
});

/** How the scripted server is started. */
export function scriptedTarget(args: readonly string[], env: Record<string, string> = {}): ConnectionTarget {
  return { transport: 'stdio', command: process.execPath, args: [script, ...args], env };
}

/** The options of a session to the scripted server with these arguments. */
export function scriptedOptions(args: readonly string[], more: Partial<OpenSessionOptions> = {}): OpenSessionOptions {
  return {
    serverName: 'scripted',
    target: scriptedTarget(args),
    listeners: { onToolListChanged: () => {}, onDiagnostic: () => {} },
    ...more,
  };
}

/** Opens a session to the scripted server. */
export async function openScripted(
  args: readonly string[] = [],
  more: Partial<OpenSessionOptions> = {},
): Promise<Scripted> {
  const diagnostics: Diagnostic[] = [];
  let changes = 0;
  const session = await openSession(
    scriptedOptions(args, {
      listeners: {
        onToolListChanged: () => {
          changes += 1;
        },
        onDiagnostic: (level, message) => diagnostics.push({ level, message }),
      },
      ...more,
    }),
  );
  opened.push(session);
  const ask: Scripted['ask'] = async (tool, toolArgs = {}) => {
    const result = await session.callTool(tool, toolArgs, LIMITS);
    const content = result['structuredContent'];
    return isJsonObject(content) ? content : {};
  };
  const received: Scripted['received'] = async () => {
    const { messages } = await ask('received');
    return JSON.parse(JSON.stringify(messages));
  };
  return { session, diagnostics, listChanges: () => changes, ask, received };
}

/** The error a promise rejects with; fails when it resolves. */
export async function failureOf(promise: Promise<unknown>): Promise<BridgeError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof BridgeError) return error;
    throw error;
  }
  throw new Error('expected a rejection');
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '');
  } catch {
    return false;
  }
}

/** The first piece of text that a stream gives. */
export async function firstText(stream: Readable): Promise<string> {
  const data: unknown[] = await once(stream, 'data');
  return String(data[0]);
}

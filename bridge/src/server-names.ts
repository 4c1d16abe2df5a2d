/**
 * Reserves a `serverName` in one app (S08).
 * @module
 */
import { BridgeError } from './errors.ts';
import type { NameHolder, ServerDirectory } from './server-directory.ts';

/** What a reservation needs beside the name. */
export interface ReserveOptions {
  /** How long an instance that is being disposed is waited for, milliseconds. */
  readonly waitMs: number;
  /** Ends the waiting early: the new instance is itself disposed. */
  readonly signal: AbortSignal;
}

/**
 * Reserves the name for `holder`, at once or as soon as an instance that is being disposed has let go of it.
 * @throws {BridgeError} `server-name-taken` when a live instance has the name, or one that is being disposed keeps it
 *   longer than `waitMs`; `disposed` when `signal` aborts
 */
export async function reserveServerName(directory: ServerDirectory, serverName: string, holder: NameHolder, options: ReserveOptions): Promise<void> {
  const deadline = performance.now() + options.waitMs;
  for (;;) {
    const present = directory.holders.get(serverName);
    if (present === undefined) break;
    if (!present.closing) throw nameTaken(serverName);
    const outcome = await waitFor(present.freed, deadline - performance.now(), options.signal);
    if (outcome === 'aborted') throw new BridgeError('disposed', `MCP server "${serverName}": disposed while waiting for its name`);
    if (outcome === 'timeout') throw nameStuck(serverName, options.waitMs);
  }
  directory.holders.set(serverName, holder);
}

/** Frees the name, if `holder` still has it: the last step of a disposal (S60). */
export function releaseServerName(directory: ServerDirectory, serverName: string, holder: NameHolder): void {
  if (directory.holders.get(serverName) === holder) directory.holders.delete(serverName);
}

function nameTaken(serverName: string): BridgeError {
  return new BridgeError(
    'server-name-taken',
    `mcp-bridge config.serverName: "${serverName}" is already used by another instance in this app; give this entry a serverName of its own, such as "${suggestName(serverName)}", or remove the other entry`,
  );
}

function nameStuck(serverName: string, waitMs: number): BridgeError {
  return new BridgeError(
    'server-name-taken',
    `mcp-bridge config.serverName: "${serverName}" is still held by an instance that is being disposed, after ${waitMs} ms; reload this entry once that server is gone, or raise nameWaitMs`,
  );
}

/** A free-looking name of legal length. */
function suggestName(serverName: string): string {
  return `${serverName.slice(0, 30)}-2`;
}

function waitFor(freed: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<'freed' | 'timeout' | 'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve('aborted');
      return;
    }
    const timer = setTimeout(() => settle('timeout'), Math.max(0, timeoutMs));
    const onAbort = (): void => settle('aborted');
    const settle = (outcome: 'freed' | 'timeout' | 'aborted'): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    signal.addEventListener('abort', onAbort);
    void freed.then(() => settle('freed'));
  });
}

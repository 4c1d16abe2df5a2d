/** One call of a tool: sent once and never again (CALL-003), settled in any case (CALL-004), told as what it was (CALL-006). */
import type { CallReply } from 'mcp-bridge-conformance/adapter';
import { RequestError, type Connection } from './connection.ts';
import { isObject, messageOf } from './json.ts';
import { textOfResult } from './projection.ts';

/** The longest time a tool may take, in milliseconds. */
const CALL_MS = 60_000;

/** A call that was never sent. */
export function notSent(message: string): CallReply {
  return { outcome: 'failed', executed: 'no', view: [{ type: 'text', text: message }], message };
}

/** Calls a tool under the name its server gave it. Never rejects. */
export async function callTool(connection: Connection | undefined, rawName: string, args: unknown, signal: AbortSignal): Promise<CallReply> {
  if (connection === undefined) return notSent('the server is not connected; the call was not sent');
  try {
    const result = await connection.request('tools/call', { name: rawName, arguments: args ?? {} }, { timeoutMs: CALL_MS, signal });
    if (!isObject(result)) return { ...notSent('the server answered with something that is no result'), executed: 'yes' };
    const text = textOfResult(result['content']);
    const view: CallReply['view'] = [{ type: 'text', text }];
    // Nothing but the boolean is an error.
    if (result['isError'] === true) return { outcome: 'tool-error', executed: 'yes', view, message: text };
    return { outcome: 'ok', executed: 'yes', value: result, view };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): CallReply {
  const code = error instanceof RequestError ? error.code : 'gone';
  const message = messageOf(error);
  const outcome = { refused: 'failed', gone: 'failed', timeout: 'timed-out', aborted: 'aborted' } as const;
  return { outcome: outcome[code], executed: 'unknown', view: [{ type: 'text', text: message }], message };
}

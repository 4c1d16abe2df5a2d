/** One call of a tool: sent once and never again (CALL-003), settled in any case (CALL-004), told as what it was (CALL-006). */
import type { CallReply } from 'mcp-bridge-conformance/adapter';
import { RequestError, type Connection } from './connection.ts';
import { isObject, messageOf } from './json.ts';
import { textOfResult } from './projection.ts';
import { misfit } from './schema.ts';

/** The longest time a tool may take, in milliseconds. */
const CALL_MS = 60_000;

/** What a caller says beside the arguments. */
export interface CallWay {
  readonly signal: AbortSignal;
  /** Makes of a success what the model sees, where that is more than words. May take its time; a rejection fails the call. */
  readonly show?: (content: unknown) => Promise<CallReply['view']>;
}

/** One call. */
export interface Call extends CallWay {
  readonly rawName: string;
  readonly args: unknown;
  readonly outputSchema: unknown;
}

/** A call that was never sent. */
export function notSent(message: string): CallReply {
  return failed(message, 'no');
}

/** Calls a tool under the name its server gave it. Never rejects. */
export async function callTool(connection: Connection | undefined, { rawName, args, outputSchema, signal, show }: Call): Promise<CallReply> {
  if (connection === undefined) return notSent('the server is not connected; the call was not sent');
  let result: unknown;
  try {
    result = await connection.request('tools/call', { name: rawName, arguments: args ?? {} }, { timeoutMs: CALL_MS, signal });
  } catch (error) {
    const code = error instanceof RequestError ? error.code : 'gone';
    const outcome = { refused: 'failed', gone: 'failed', timeout: 'timed-out', aborted: 'aborted' } as const;
    return { ...failed(messageOf(error), 'unknown'), outcome: outcome[code] };
  }
  if (!isObject(result)) return failed('the server answered with something that is no result', 'yes');
  const text = textOfResult(result['content']);
  const words: CallReply['view'] = [{ type: 'text', text }];
  // Nothing but the boolean is an error.
  if (result['isError'] === true) return { outcome: 'tool-error', executed: 'yes', view: words, message: text };
  const why = result['structuredContent'] === undefined ? undefined : misfit(outputSchema, result['structuredContent']);
  if (why !== undefined) return failed(`the structured result is not what the tool promises: ${why}`, 'yes');
  try {
    return { outcome: 'ok', executed: 'yes', value: result, view: show === undefined ? words : await show(result['content']) };
  } catch (error) {
    return { ...failed(messageOf(error), 'yes'), outcome: signal.aborted ? 'aborted' : 'failed' };
  }
}

function failed(message: string, executed: CallReply['executed']): CallReply {
  return { outcome: 'failed', executed, view: [{ type: 'text', text: message }], message };
}

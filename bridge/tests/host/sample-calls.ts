/** Calls for tests of the host, and how they ended. */
import type { ToolExecutionResult } from '../../src/host-services.ts';
import type { ToolCall } from '../../src/host/execute-call.ts';

/** A call by the model, without arguments, that nobody aborts. */
export function call(name: string, more: Partial<ToolCall> = {}): ToolCall {
  return { callId: 'c1', name, arguments: {}, signal: new AbortController().signal, ...more };
}

/** The code of a call that failed, `OK` of one that did not. */
export function codeOf(result: ToolExecutionResult): string | undefined {
  return result.isError ? result.error.info?.code : 'OK';
}

/**
 * The outcomes of a call that the registry itself makes: from an error, from a denial, from a cancellation.
 */
import type { ContentBlock, ToolExecutionFailure } from '../host-services.ts';

/** Codes in `error.info.code` that come from the registry; a tool's own error keeps its own `code`. */
export const outcomeCodes = {
  /** No tool of that name is registered. */
  unknownTool: 'UNKNOWN_TOOL',
  /** The caller gave up before the body ran: nothing was executed. */
  abortedBeforeDispatch: 'ABORTED_BEFORE_DISPATCH',
  /** The caller gave up after the body had started. */
  aborted: 'ABORTED',
  /** The arguments are no lossless JSON. */
  invalidArguments: 'INVALID_TOOL_ARGUMENTS',
  /** The body's value is no lossless JSON, or contradicts the definition's `output.schema`. */
  invalidOutput: 'INVALID_TOOL_OUTPUT',
  /** `render`, a policy or `finalizeContent` gave something that is no content. */
  invalidContent: 'INVALID_TOOL_CONTENT',
  /** A policy denied the call. */
  denied: 'DENIED',
  /** A policy blocked the outcome. */
  blocked: 'BLOCKED',
} as const;

/** An outcome that is no success. */
export function failure(message: string, name: string, code: string, content?: ContentBlock[]): ToolExecutionFailure {
  return frozen({ message, info: { name, code } }, content ?? [{ type: 'text', text: `Error: ${message}` }]);
}

/**
 * The outcome of something that was thrown: its message, and its own `code` when it has one. The error itself is kept
 * in `error.cause`, which is not enumerable: it is for programs in this process and part of no copy.
 */
export function failureFrom(thrown: unknown): ToolExecutionFailure {
  const { message, info } = factsOf(thrown);
  const error = { message, ...(info === undefined ? {} : { info }) };
  Object.defineProperty(error, 'cause', { value: thrown, enumerable: false });
  return frozen(error, [{ type: 'text', text: `Error: ${message}` }]);
}

/** The outcome of a call whose caller gave up. */
export function cancelled(bodyStarted: boolean): ToolExecutionFailure {
  return bodyStarted
    ? failure('the call was aborted by its caller', 'AbortError', outcomeCodes.aborted)
    : failure('the call was aborted by its caller before the tool ran', 'AbortError', outcomeCodes.abortedBeforeDispatch);
}

/** All text of some content, for the message of an outcome that a policy blocked. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function frozen(error: ToolExecutionFailure['error'], content: ContentBlock[]): ToolExecutionFailure {
  return Object.freeze<ToolExecutionFailure>({ isError: true, error: Object.freeze(error), content });
}

/** What is thrown may be anything, a proxy or a getter that throws included. */
function factsOf(thrown: unknown): { message: string; info?: { name: string; code: string } } {
  try {
    const message = String(thrown instanceof Error ? thrown.message || thrown.name : thrown);
    const code: unknown = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
    if (typeof code !== 'string') return { message };
    return { message, info: { name: thrown instanceof Error ? thrown.name : 'Error', code } };
  } catch {
    return { message: 'something that has no text was thrown' };
  }
}

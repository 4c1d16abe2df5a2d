/**
 * The one error type of the bridge. A message says where, what and what to do; the cause is kept.
 */
import { cutText, wellFormed } from './model-text.ts';

/** What kind of failure, for programs. Names are stable; new ones may be added. */
export type BridgeErrorCode =
  /** The config of one instance is wrong (S09). */
  | 'config-invalid'
  /** Another live instance of the same app has this `serverName` (S08). */
  | 'server-name-taken'
  /** The server could not be started or reached, or did not complete `initialize`. */
  | 'connect-failed'
  /** `initialize` was not answered within its limit (B03). */
  | 'connect-timeout'
  /** The server answered with a protocol revision the bridge does not know (B22). */
  | 'protocol-unsupported'
  /** A `tools/list` request failed, or its answer was no list. */
  | 'discovery-failed'
  /** One listing request, or the whole sync, took longer than its limit (B03). */
  | 'discovery-timeout'
  /** The list is void: a name twice, or two names with one public name (S18, S26). */
  | 'list-invalid'
  /** A stated bound was reached (B01). */
  | 'limit-exceeded'
  /** The registry already holds a foreign tool of that name (S32). */
  | 'registry-conflict'
  /** There is no live connection to call over (S55). */
  | 'not-connected'
  /** The connection ended while the call was in flight (B05). */
  | 'connection-lost'
  /** The call was not answered within its limit (S05). */
  | 'call-timeout'
  /** The caller gave up (S38, B12). */
  | 'call-aborted'
  /** The server answered with a JSON-RPC error. */
  | 'rpc-error'
  /** An HTTP request was refused or failed; `httpStatus` is set when there was an answer (B06). */
  | 'http-error'
  /** The answer was not a tool result. */
  | 'result-invalid'
  /** The arguments of a call are no JSON object; nothing was sent. */
  | 'arguments-invalid'
  /** The tool itself reported failure: `isError: true` (S36). */
  | 'tool-error'
  /** The tool requires task execution (S39). */
  | 'task-required'
  /** `structuredContent` contradicts the declared `outputSchema` (S37). */
  | 'output-invalid'
  /** The connection did not close within its limit (S60). */
  | 'close-incomplete'
  /** The instance is disposed. */
  | 'disposed';

/** Whether the server executed a call that failed (B04): `unknown` when the request was sent and no answer came. */
export type Executed = 'yes' | 'no' | 'unknown';

/** Facts beside the message. */
export interface BridgeErrorOptions {
  /** What the bridge caught. */
  readonly cause?: unknown;
  /** For a failed call: whether the server executed it (B04). */
  readonly executed?: Executed | undefined;
  /** For `rpc-error`: the server's own code. */
  readonly rpcCode?: number | undefined;
  /** For `http-error`: the status of the answer, if there was one. */
  readonly httpStatus?: number | undefined;
}

/** An error of the bridge. */
export class BridgeError extends Error {
  override readonly name = 'BridgeError';
  readonly code: BridgeErrorCode;
  readonly executed: Executed | undefined;
  readonly rpcCode: number | undefined;
  readonly httpStatus: number | undefined;

  constructor(code: BridgeErrorCode, message: string, options: BridgeErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.executed = options.executed;
    this.rpcCode = options.rpcCode;
    this.httpStatus = options.httpStatus;
  }
}

/** The message of anything that was thrown, one line of at most 500 characters, well-formed (B16), never a stack. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const line = wellFormed(text.replace(/\s+/g, ' ').trim());
  return line.length > 500 ? `${cutText(line, 499)}…` : line;
}

/** Turns the end of a request that brought no result into a `BridgeError` that says what, why and whether the tool ran. */
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { BridgeError, describeError, type BridgeErrorCode } from '../errors.ts';
import { isSessionLost } from './lost-session.ts';
import { isObject } from './narrow.ts';
import type { SentRequest } from './sent-request.ts';
import { isLimitExceeded } from './stdio-messages.ts';

/** What a failed request was about, for its message. */
export interface RequestContext {
  /** Says where: the server and the request, for example `server "fs": tools/call "read_file"`. */
  readonly where: string;
  /** The limit the request had, in milliseconds. */
  readonly timeoutMs: number;
  /** The option that sets this limit. */
  readonly timeoutOption: string;
  /** How long it may go without progress, in milliseconds; the limit where progress extends nothing (B11). */
  readonly silenceMs: number;
  /** The code of a timeout, and of an answer that is an error. */
  readonly codes: { readonly timeout: BridgeErrorCode; readonly error: BridgeErrorCode };
  /** Why the connection ended, if it did. */
  readonly lossDetail: string | undefined;
  /** What the server sent meanwhile that was skipped, or belonged to no request. */
  readonly skipped: number;
  /** Removes secrets (B18). */
  readonly redact: (text: string) => string;
}

/** The library's code for a request it gave up; as a number, since it comes as one. */
const REQUEST_TIMEOUT: number = ErrorCode.RequestTimeout;

/**
 * @param sent the request, or `undefined` when the library did not send it.
 * @param thrown what the library rejected with.
 */
export function requestFailure(sent: SentRequest | undefined, thrown: unknown, context: RequestContext): BridgeError {
  const { where, codes } = context;
  const outcome = sent?.outcome;
  if (sent === undefined) return notConnected(context);
  switch (outcome?.kind) {
    case 'aborted':
      return new BridgeError('call-aborted', `${where} was given up by the caller`, { executed: 'unknown' });
    case 'silent':
      return new BridgeError(codes.timeout, `${where} brought neither an answer nor progress for ${context.silenceMs} ms: the server may still be working on it; raise \`toolCallTimeoutMs\` if it needs longer${skippedText(context)}`, { executed: 'unknown' });
    case 'send-failed':
      return sendFailure(outcome.error, context);
    case 'error':
      return errorAnswer(outcome.error, context);
    default:
  }
  if (thrown instanceof McpError && thrown.code === REQUEST_TIMEOUT) {
    const advice = `the server may still be working on it; raise \`${context.timeoutOption}\` if it needs longer${skippedText(context)}`;
    const text = `${where} was not answered within ${context.timeoutMs} ms: ${advice}`;
    return new BridgeError(codes.timeout, text, { executed: 'unknown' });
  }
  const why = context.lossDetail ?? context.redact(describeError(thrown));
  return new BridgeError('connection-lost', `${where} got no answer, the connection ended: ${why}`, { executed: 'unknown' });
}

/** An answer that nobody can read costs its call the whole time: say so (B06). */
function skippedText({ skipped }: RequestContext): string {
  if (skipped === 0) return '';
  return `; meanwhile it sent ${skipped === 1 ? 'something' : `${skipped} things`} that answered no request or ${skipped === 1 ? 'was' : 'were'} no JSON-RPC message, perhaps the answer: see the log`;
}

/** There is no connection to send over. */
export function notConnected({ where, lossDetail }: Pick<RequestContext, 'where' | 'lossDetail'>): BridgeError {
  const why = lossDetail === undefined ? '' : `: ${lossDetail}`;
  return new BridgeError('not-connected', `${where} was not sent, there is no connection${why}`, { executed: 'no' });
}

/** What a JSON-RPC error says; a server may send anything in its place. */
export interface RpcErrorFacts {
  /** `undefined` when the code is no number. */
  readonly rpcCode: number | undefined;
  /** The message, bounded, without secrets. */
  readonly message: string;
  /** Code and message. */
  readonly text: string;
}

/** Reads a JSON-RPC error of any shape. */
export function readRpcError(error: unknown, redact: (text: string) => string): RpcErrorFacts {
  const { code, message: words } = isObject(error) ? error : { code: undefined, message: error };
  const rpcCode = typeof code === 'number' ? code : undefined;
  const message = typeof words === 'string' && words !== '' ? redact(describeError(words)) : 'no message';
  return { rpcCode, message, text: `error ${rpcCode ?? 'without a code'}: ${message}` };
}

function errorAnswer(error: unknown, { where, codes, redact }: RequestContext): BridgeError {
  const { rpcCode, message, text } = readRpcError(error, redact);
  if (isObject(error) && isLimitExceeded(error)) return new BridgeError('limit-exceeded', `${where} failed: ${message}`, { executed: 'yes' });
  if (isObject(error) && isSessionLost(error)) {
    return new BridgeError('http-error', `${where} failed: the server does not know this session any more (it says: ${message})`, { executed: 'no', rpcCode });
  }
  const unrun = rpcCode === ErrorCode.MethodNotFound || rpcCode === ErrorCode.InvalidParams;
  return new BridgeError(codes.error, `${where} was answered with ${text}`, { executed: unrun ? 'no' : 'unknown', rpcCode });
}

/** The request could not be sent, or its transport knows that no answer can come; `executed` is the transport's own word. */
function sendFailure(error: unknown, context: RequestContext): BridgeError {
  const { where, redact, lossDetail } = context;
  if (error instanceof BridgeError) {
    const { code, message, cause, executed, httpStatus } = error;
    if (code === 'not-connected') return notConnected(context);
    return new BridgeError(code, `${where} failed: ${redact(message)}`, { cause, executed, httpStatus });
  }
  const why = lossDetail ?? redact(describeError(error));
  return new BridgeError('connection-lost', `${where} got no answer, the connection ended: ${why}`, { cause: error, executed: 'unknown' });
}

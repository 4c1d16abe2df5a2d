/** Turns the end of a request that brought no result into a `BridgeError` that says what, why and whether the tool ran. */
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { BridgeError, describeError, type BridgeErrorCode, type Executed } from '../errors.ts';
import { isObject, systemCode } from './narrow.ts';
import type { SentRequest } from './session-wire.ts';
import { isLimitExceeded } from './stdio-messages.ts';

/** What a failed request was about, for its message. */
export interface RequestContext {
  /** Says where: the server and the request, for example `server "fs": tools/call "read_file"`. */
  readonly where: string;
  /** The limit the request had, in milliseconds. */
  readonly timeoutMs: number;
  /** The option that sets this limit. */
  readonly timeoutOption: string;
  /** The code of a timeout, and of an answer that is an error. */
  readonly codes: { readonly timeout: BridgeErrorCode; readonly error: BridgeErrorCode };
  /** Why the connection ended, if it did. */
  readonly lossDetail: string | undefined;
  /** Removes secrets (B18). */
  readonly redact: (text: string) => string;
}

/** The library's code for a request it gave up; as a number, since it comes as one. */
const REQUEST_TIMEOUT: number = ErrorCode.RequestTimeout;

/** HTTP statuses with which a server, or what stands before it, refuses a request it has not run. */
const REFUSED_STATUSES = new Set([400, 401, 403, 404, 405, 406, 411, 413, 415, 421, 429, 431]);
/** Network errors that come before a request is sent. */
const UNSENT_ERRORS = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED']);

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
    case 'send-failed':
      return sendFailure(outcome.error, context);
    case 'error':
      return errorAnswer(outcome.error, context);
    default:
  }
  if (thrown instanceof McpError && thrown.code === REQUEST_TIMEOUT) {
    const advice = `the server may still be working on it; raise \`${context.timeoutOption}\` if it needs longer`;
    const text = `${where} was not answered within ${context.timeoutMs} ms: ${advice}`;
    return new BridgeError(codes.timeout, text, { executed: 'unknown' });
  }
  const why = context.lossDetail ?? describeError(thrown);
  return new BridgeError('connection-lost', `${where} got no answer, the connection ended: ${why}`, { executed: 'unknown' });
}

/** There is no connection to send over. */
export function notConnected({ where, lossDetail }: Pick<RequestContext, 'where' | 'lossDetail'>): BridgeError {
  const why = lossDetail === undefined ? '' : `: ${lossDetail}`;
  return new BridgeError('not-connected', `${where} was not sent, there is no connection${why}`, { executed: 'no' });
}

function errorAnswer(error: unknown, { where, codes, redact }: RequestContext): BridgeError {
  const { code, message } = isObject(error) ? error : {};
  const text = redact(describeError(message ?? 'no message'));
  if (isObject(error) && isLimitExceeded(error)) {
    return new BridgeError('limit-exceeded', `${where} failed: ${text}`, { executed: 'yes' });
  }
  const rpcCode = typeof code === 'number' ? code : undefined;
  const unrun = rpcCode === ErrorCode.MethodNotFound || rpcCode === ErrorCode.InvalidParams;
  return new BridgeError(codes.error, `${where} was answered with error ${rpcCode ?? 'without a code'}: ${text}`, {
    executed: unrun ? 'no' : 'unknown',
    ...(rpcCode === undefined ? {} : { rpcCode }),
  });
}

function sendFailure(error: unknown, context: RequestContext): BridgeError {
  if (error instanceof BridgeError) {
    if (error.code !== 'limit-exceeded') return notConnected(context);
    return new BridgeError('limit-exceeded', `${context.where} failed: ${error.message}`, { executed: 'yes' });
  }
  const { where, redact, lossDetail } = context;
  const text = `${where} failed over HTTP: ${redact(describeHttpError(error))}`;
  if (lossDetail !== undefined) {
    return new BridgeError('connection-lost', `${where} got no answer, the connection ended: ${lossDetail}`, {
      executed: 'unknown',
    });
  }
  const status = error instanceof StreamableHTTPError && (error.code ?? 0) > 0 ? error.code : undefined;
  let executed: Executed = 'unknown';
  if (status === undefined ? UNSENT_ERRORS.has(causeCode(error)) : REFUSED_STATUSES.has(status)) executed = 'no';
  return new BridgeError('http-error', text, {
    cause: error,
    executed,
    ...(status === undefined ? {} : { httpStatus: status }),
  });
}

/** One line about a failed HTTP request: the status, or what the network said. */
export function describeHttpError(error: unknown): string {
  if (error instanceof StreamableHTTPError) {
    const status = (error.code ?? 0) > 0 ? `status ${error.code}, ` : '';
    return `${status}${describeError(error)}`;
  }
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? describeError(error) : `${describeError(error)}: ${describeError(cause)}`;
}

function causeCode(error: unknown): string {
  return (error instanceof Error ? systemCode(error.cause) : undefined) ?? '';
}

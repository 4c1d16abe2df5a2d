/** The limits of one attempt to connect, and why it failed (B03, B06). */
import { BridgeError, describeError } from '../errors.ts';
import type { CloseReason } from '../session.ts';
import { deferred } from './deferred.ts';
import { readRpcError } from './request-failure.ts';
import type { SentRequest } from './sent-request.ts';

/** Bounds the whole attempt (B03). The library's own timer is not used: it would cancel `initialize`, which must not be. */
export async function withinConnectLimit(attempt: Promise<void>, limitMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise: ended, resolve: end } = deferred<BridgeError>();
  const timer = setTimeout(() => end(new BridgeError('connect-timeout', timeoutText(limitMs))), limitMs);
  const onAbort = (): void => end(new BridgeError('disposed', 'connecting was given up'));
  signal?.addEventListener('abort', onAbort);
  try {
    const failure = await Promise.race([attempt, ended]);
    if (failure !== undefined) throw failure;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function timeoutText(limitMs: number): string {
  return `the server did not complete the handshake within ${limitMs} ms; look at its output, or raise \`connectTimeoutMs\` if it starts slowly`;
}

/** What is known about a failed attempt after its connection was closed. */
export interface FailedAttempt {
  /** What the attempt ended with. */
  readonly error: unknown;
  /** The request `initialize`, if it was made. */
  readonly initialize: SentRequest | undefined;
  readonly end: CloseReason;
  readonly lastWords: string;
  readonly where: string;
  readonly redact: (text: string) => string;
}

/** Why the attempt failed, with the server's last words where they help (B06). */
export function connectFailure({ error, initialize, end, lastWords, where, redact }: FailedAttempt): BridgeError {
  const { outcome } = initialize ?? {};
  const tail = lastWords === '' ? '' : `; ${lastWords}`;
  if (error instanceof BridgeError) {
    // What an HTTP request met is why there is no connection.
    const code = error.code === 'http-error' ? 'connect-failed' : error.code;
    return new BridgeError(code, `${where}: ${redact(error.message)}${tail}`, { cause: error.cause, httpStatus: error.httpStatus });
  }
  if (outcome?.kind === 'error') {
    const { rpcCode, text } = readRpcError(outcome.error, redact);
    return new BridgeError('connect-failed', `${where}: initialize was answered with ${text}${tail}`, { rpcCode });
  }
  if (outcome?.kind === 'echoed') {
    return new BridgeError('connect-failed', `${where}: initialize came back as it was sent: what is there repeats its input and is no MCP server; correct \`command\` or \`url\`${tail}`);
  }
  // The end's detail has the last words already.
  if (end.kind !== 'closed-by-bridge') {
    return new BridgeError('connect-failed', `${where}: before it answered initialize, ${end.detail}`);
  }
  const cause = outcome?.kind === 'send-failed' ? outcome.error : error;
  const httpStatus = cause instanceof BridgeError ? cause.httpStatus : undefined;
  return new BridgeError('connect-failed', `${where}: ${redact(describeError(cause))}${tail}`, { cause, httpStatus });
}

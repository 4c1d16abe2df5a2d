/** The limits of one attempt to connect, and why it failed (B03, B06). */
import { BridgeError, describeError } from '../errors.ts';
import type { Carrier } from './carrier.ts';
import { deferred } from './deferred.ts';
import { isObject } from './narrow.ts';
import { describeHttpError } from './request-failure.ts';
import type { SentRequest } from './session-wire.ts';

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

/** Why the attempt failed, with the server's last words where they help (B06). */
export function connectFailure(
  error: unknown,
  initialize: SentRequest | undefined,
  carrier: Carrier,
  where: string,
  redact: (text: string) => string,
): BridgeError {
  const { outcome } = initialize ?? {};
  const lastWords = carrier.lastWords();
  const tail = lastWords === '' ? '' : `; its stderr ended with:\n${lastWords}`;
  if (error instanceof BridgeError) {
    const seeTail = error.code === 'connect-timeout' || error.code === 'protocol-unsupported';
    const text = `${where}: ${error.message}${seeTail ? tail : ''}`;
    return new BridgeError(error.code, text, { cause: error.cause });
  }
  if (outcome?.kind === 'error') {
    const { code, message } = isObject(outcome.error) ? outcome.error : {};
    const text = `${where}: initialize was answered with error ${String(code)}: ${redact(describeError(message))}${tail}`;
    return new BridgeError('connect-failed', text, typeof code === 'number' ? { rpcCode: code } : {});
  }
  if (carrier.reason !== undefined) {
    return new BridgeError('connect-failed', `${where}: before it answered initialize, ${carrier.reason.detail}`);
  }
  const cause = outcome?.kind === 'send-failed' ? outcome.error : error;
  return new BridgeError('connect-failed', `${where}: ${redact(describeHttpError(cause))}${tail}`, { cause });
}

/**
 * Keeps configured secrets out of errors that quote a server (B18).
 * @module
 */
import { inspect } from 'node:util';
import { BridgeError, describeError } from './errors.ts';

/** Errors in one chain that are looked at; what lies deeper is left out. */
const CAUSES_MAX = 20;

/**
 * The same error when it holds no secret, else one like it that holds none, in its causes neither: a host may log an error
 * with all it has. Other errors than the bridge's own stay as they are where they come first, since nothing of a server
 * is in them.
 */
export function redactError<T>(error: T, redact: (text: string) => string): T | BridgeError {
  return error instanceof BridgeError ? cleanError(error, redact, CAUSES_MAX) : error;
}

function cleanError(error: BridgeError, redact: (text: string) => string, depth: number): BridgeError {
  const message = redact(error.message);
  const cause = cleanCause(error.cause, redact, depth - 1);
  if (message === error.message && cause === error.cause) return error;
  const { code, executed, rpcCode, httpStatus } = error;
  return new BridgeError(code, message, { cause, executed, rpcCode, httpStatus });
}

/** A cause is replaced as soon as anything that is printed with it holds a secret: its message, its stack or its fields. */
function cleanCause(cause: unknown, redact: (text: string) => string, depth: number): unknown {
  if (cause === undefined || depth === 0) return undefined;
  if (cause instanceof BridgeError) return cleanError(cause, redact, depth);
  const printed = inspect(cause, { depth: CAUSES_MAX, breakLength: Number.POSITIVE_INFINITY });
  if (redact(printed) === printed) return cause;
  const clean = new Error(redact(describeError(cause)));
  clean.stack = `${cause instanceof Error ? cause.name : 'Error'}: ${clean.message}`;
  return clean;
}

/**
 * The promise's value; what it rejects with holds no secret.
 * @param redactTold for what a tool reports of itself: the model has to understand it (S36)
 */
export async function redactRejection<T>(work: Promise<T>, redact: (text: string) => string, redactTold = redact): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw redactError(error, error instanceof BridgeError && error.code === 'tool-error' ? redactTold : redact);
  }
}

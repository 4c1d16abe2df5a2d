/**
 * Keeps configured secrets out of errors that quote a server (B18).
 * @module
 */
import { BridgeError } from './errors.ts';

/** The same error when it holds no secret, else one like it whose message holds none. Other errors stay as they are. */
export function redactError<T>(error: T, redact: (text: string) => string): T | BridgeError {
  if (!(error instanceof BridgeError)) return error;
  const message = redact(error.message);
  if (message === error.message) return error;
  const { code, cause, executed, rpcCode, httpStatus } = error;
  return new BridgeError(code, message, { cause, executed, rpcCode, httpStatus });
}

/** The promise's value; what it rejects with holds no secret. */
export async function redactRejection<T>(work: Promise<T>, redact: (text: string) => string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw redactError(error, redact);
  }
}

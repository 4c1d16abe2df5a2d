/** What the body of an answer that is no success says, for a person. */
import { describeError } from '../errors.ts';
import { isObject } from './narrow.ts';

/** Longest quotation, UTF-16 units. */
const QUOTED_LENGTH = 300;

/** What an error's body says, bounded: the message of a JSON-RPC error, nothing of a web page, else its beginning. */
export function quoteAnswer(body: string, contentType: string): string {
  if (isWebPage(body, contentType)) return ' (it sent a web page)';
  const text = describeError(messageIn(body) ?? body);
  return text === '' ? '' : ` (it says: ${text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH - 1)}…` : text})`;
}

/** Whether a body is a page for people. */
export function isWebPage(body: string, contentType: string): boolean {
  return contentType.includes('text/html') || /^\s*<(?:!doctype html|html)/i.test(body);
}

/** The message of a JSON-RPC error, or of an OAuth error (RFC 6750) with its sentence for people. */
function messageIn(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(parsed)) return undefined;
  const sentence = parsed['error_description'];
  const error = parsed['error'] ?? parsed;
  const message = isObject(error) ? error['message'] : error;
  if (typeof message !== 'string') return typeof sentence === 'string' ? sentence : undefined;
  return typeof sentence === 'string' && sentence !== '' ? `${message}: ${sentence}` : message;
}

/**
 * How servers say that they do not know a session any more, beside the specification's 404 (R46). Each is a doubt at the
 * most: one `ping` decides.
 */
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describeError } from '../errors.ts';
import { isObject } from './narrow.ts';

/** An answer that is an error. */
export type ErrorAnswer = Extract<JSONRPCMessage, { readonly error: unknown }>;

/** What status 400 says of a session, or of none. */
const ABOUT_SESSION = /session|not (?:been )?initiali[sz]ed/i;

/** That a session is gone, in so many words: where the status or the code alone is used for much else. */
const SESSION_IS_GONE = /session\b.{0,80}\b(?:not found|unknown|expired|invalid|no longer|not exist|terminated|closed)|\b(?:unknown|invalid|expired|no such|no valid)\b.{0,20}\bsession/i;

/** Codes of JSON-RPC with which servers say so: the one of the TypeScript library, which it also uses for timeouts, and a general one. */
const CODES: ReadonlySet<unknown> = new Set<number>([ErrorCode.RequestTimeout, ErrorCode.ConnectionClosed]);

/** How a line of an event stream begins that carries data. */
const DATA_LINE = /^data: ?/;

/** Whether a refusal of a request that named a session may mean its end. */
export function doubtsSession(status: number, body: string): boolean {
  return status === 400 ? ABOUT_SESSION.test(body) : status === 401 && SESSION_IS_GONE.test(body);
}

/** What an answer says when it is an error that may mean the end of the session; `undefined` for any other. */
export function lostSessionWords(answer: unknown): string | undefined {
  const error = isObject(answer) ? answer['error'] : undefined;
  if (!isObject(error) || !CODES.has(error['code'])) return undefined;
  const { message } = error;
  if (typeof message !== 'string') return undefined;
  const words = describeError(message);
  return SESSION_IS_GONE.test(words) ? words : undefined;
}

/** The same of the text of an answer: JSON, or an event stream. */
export function lostSessionWordsIn(text: string): string | undefined {
  for (const part of [text, ...text.split(/\r?\n/).filter((line) => DATA_LINE.test(line)).map((line) => line.replace(DATA_LINE, ''))]) {
    const words = lostSessionWords(parsed(part));
    if (words !== undefined) return words;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Marks an answer whose session turned out to be gone. */
const sessionLost = Symbol('session lost');

/** The same answer, marked: the server refused the request before it looked at it. */
export function sessionLostAnswer(message: ErrorAnswer): ErrorAnswer {
  return { ...message, error: Object.assign({ ...message.error }, { [sessionLost]: true }) };
}

/** Whether an error comes from {@link sessionLostAnswer}; no server can write one. */
export function isSessionLost(error: object): boolean {
  return sessionLost in error;
}

/**
 * What is said about a connection that is not there: log lines (S59) and the reason a call fails at once (S55). Pure.
 * @module
 */
import { cutText, wellFormed } from './model-text.ts';

/** What opened an outage, or went on with it. */
export interface OutageEvent {
  /** An established connection was lost; the first attempt of the instance failed; a later one did. */
  readonly kind: 'loss' | 'start' | 'attempt';
  /** The number of the attempt that failed; 0 unless `kind` is `attempt`. */
  readonly attempt: number;
  /** What happened, whole: exit code, what the server said last (B06). */
  readonly detail: string;
}

/** Where a supervisor stands while no call can be sent. */
export type Situation =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** The connection is lost, and the proof that the server is gone is awaited. */
  | { readonly kind: 'ending'; readonly cause: string }
  | { readonly kind: 'waiting'; readonly cause: string; readonly attempt: number; readonly dueAtMs: number }
  | { readonly kind: 'attempting'; readonly cause: string; readonly attempt: number }
  | { readonly kind: 'stopped'; readonly cause: string; readonly why: string }
  | { readonly kind: 'disposed' };

/** Longest part of a log line that repeats what happened, UTF-16 code units; attempt and delay must still fit. */
const DETAIL_MAX_CHARS = 1_500;

/** How an event begins its log line: an attempt that never connected reads differently from a connection lost (S59). */
export function headline(event: OutageEvent, maxAttempts: number): string {
  const detail = cutMiddle(event.detail, DETAIL_MAX_CHARS);
  switch (event.kind) {
    case 'loss':
      return `connection lost: ${detail}`;
    case 'start':
      return `not available: ${detail}`;
    default:
      return `attempt ${event.attempt} of ${maxAttempts} failed: ${detail}`;
  }
}

/** The same, for a call and for `lastError`; `what` is one bounded line. */
export function causeOf(event: OutageEvent, what: string): string {
  return event.kind === 'loss' ? `the connection was lost: ${what}` : `it could not be connected: ${what}`;
}

/** What is tried next, with attempt and delay (S59). */
export function nextAttempt(attempt: number, maxAttempts: number, delayMs: number): string {
  return `reconnecting: attempt ${attempt} of ${maxAttempts} in ${delayMs} ms`;
}

/** Why a call cannot be sent, and what is going on (S55). */
export function describeSituation(situation: Situation, maxAttempts: number, nowMs: number): string {
  switch (situation.kind) {
    case 'connecting':
      return 'it is being connected for the first time';
    case 'connected':
      return 'its connection has just ended';
    case 'ending':
      return `${situation.cause}; what is left of it is being ended`;
    case 'waiting':
      return `${situation.cause}; attempt ${situation.attempt} of ${maxAttempts} begins in ${Math.max(0, Math.ceil(situation.dueAtMs - nowMs))} ms`;
    case 'attempting':
      return `${situation.cause}; attempt ${situation.attempt} of ${maxAttempts} is under way`;
    case 'stopped':
      return `${situation.cause}; ${situation.why}`;
    default:
      return 'this instance of the bridge is disposed';
  }
}

/** Keeps the beginning, which says what happened, and the end, where a server's last words are. */
function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor((maxChars - 3) / 2);
  return `${cutText(text, half)} … ${wellFormed(text.slice(-half))}`;
}

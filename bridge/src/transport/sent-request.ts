/** A request of ours on the wire, and how it ended. */

/** How a request ended, as far as the wire knows; `undefined` while it is in flight or when the library gave it up. */
export type WireOutcome =
  | { readonly kind: 'result' }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'send-failed'; readonly error: unknown }
  | { readonly kind: 'aborted' }
  /** The request itself came back. */
  | { readonly kind: 'echoed' }
  /** Nothing came for too long, not even progress (B11). */
  | { readonly kind: 'silent' };

/** One request of ours. */
export interface SentRequest {
  readonly id: number;
  readonly method: string;
  outcome: WireOutcome | undefined;
  /** The raw result, once that is the outcome. */
  result: unknown;
}

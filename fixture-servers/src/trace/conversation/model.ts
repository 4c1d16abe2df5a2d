/** A trace as a conversation: what the client said, and what the server did about it. */

/** One thing the server did. */
export type Deed =
  /** A message of its own, or anything else it wrote, as it was. `ended`: a line end followed. */
  | { readonly kind: 'say'; readonly raw: string; readonly message: unknown; readonly ended: boolean }
  /** Progress on the turn it belongs to: its token is that of the request. */
  | { readonly kind: 'progress'; readonly raw: string; readonly message: unknown }
  /** A request to the client. */
  | { readonly kind: 'request'; readonly raw: string; readonly message: unknown; readonly id: unknown }
  /** It went on only after the client had answered the request of this id. */
  | { readonly kind: 'await'; readonly id: unknown }
  /** The answer to the request of the turn. */
  | { readonly kind: 'answer'; readonly raw: string; readonly message: unknown }
  /** An answer of which the trace kept only the beginning. */
  | { readonly kind: 'cut'; readonly bytes: number }
  | { readonly kind: 'stderr'; readonly text: string }
  /** The process ended of itself. */
  | { readonly kind: 'end'; readonly code: number | undefined; readonly signal: string | undefined };

/** What the client said, or the start of the process, and what followed in the recording. */
export interface Turn {
  readonly kind: 'start' | 'request' | 'notification' | 'input-end';
  /** Empty for the start and the end of input. */
  readonly method: string;
  readonly params: unknown;
  /** The id of a request. */
  readonly id: unknown;
  /** The line of the trace, from 1. */
  readonly line: number;
  readonly deeds: Deed[];
  /** The client gave it up. */
  cancelled: boolean;
}

/** One process of the server, or one session over HTTP. */
export interface Life {
  readonly server: string;
  readonly carrier: 'stdio' | 'streamable-http';
  /** The first turn is the start. */
  readonly turns: Turn[];
  /** Some frames were cut or the trace stopped: what has no answer may have had one. */
  incomplete: boolean;
}

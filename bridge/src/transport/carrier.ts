/** What the session needs of a connection beside the library's `Transport`, whatever carries it. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CloseReason } from '../session.ts';

/** A connection and what is known about its end. */
export interface Carrier {
  /** `close` never rejects; it resolves when {@link closed} has. */
  readonly transport: Transport;
  /** Resolves once, when the connection is gone; see `Session.closed`. */
  readonly closed: Promise<CloseReason>;
  /** Why the connection ended; set before the transport's `onclose` is called. */
  readonly reason: CloseReason | undefined;
  /** The pid of a process's leader, once started. */
  readonly pid: number | undefined;
  /** How many lines or texts of the server were no message and were skipped. */
  readonly skipped: number;
  /** What the server said last and where, as part of a sentence, secrets removed; empty when nothing (B06). */
  lastWords(): string;
}

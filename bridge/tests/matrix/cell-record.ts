/** What is written down of one cell while it is driven; `judge.ts` says afterwards what it proves. */
import type { Executed, ServerState } from '../../src/internal.ts';

/** How a call ended. */
export type CallEnd =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string; readonly executed: Executed | undefined };

/** One call. */
export interface CallRecord {
  /** Goes over the wire, and comes back in an honest answer. */
  readonly token: string;
  /** To the server with the fault, or to one beside it. */
  readonly to: 'faulty' | 'beside';
  readonly tookMs: number;
  /** `undefined`: not within {@link boundMs}. */
  readonly end: CallEnd | undefined;
  readonly boundMs: number;
}

/** What the host shows of the faulty server. */
export interface View {
  /** Raw names, in registry order. */
  readonly tools: readonly string[];
  readonly state: ServerState | undefined;
}

/** What is there after the entry was unloaded. */
export interface Remains {
  readonly view: View;
  /** Command lines of the server's processes that the bridge started. */
  readonly processes: readonly string[];
  /** Connections to the server's port. */
  readonly sockets: number;
  /** Whether the newest session was asked to end; `undefined` where there is none, or its end is the fault. */
  readonly sessionDeleted: boolean | undefined;
  /** How long the disposal took, at most its bound; `undefined`: longer. */
  readonly tookMs: number | undefined;
}

/** The history of one cell. */
export interface CellRecord {
  readonly id: string;
  readonly carrier: 'stdio' | 'streamable-http';
  /** Whether the fault fired. */
  readonly fired: boolean;
  readonly calls: readonly CallRecord[];
  /** By token: how often the faulty server was asked for it. */
  readonly onWire: ReadonlyMap<string, number>;
  /** What the host showed once the fault had fired and it knew, beside what the server would list; not at shutdown. */
  readonly during: (View & { readonly before: readonly string[]; readonly listed: readonly string[] }) | undefined;
  /** The same when the server is well again; `undefined` at shutdown. */
  readonly afterwards: (View & { readonly listed: readonly string[] }) | undefined;
  /** The call that is made then. */
  readonly lastCall: CallRecord | undefined;
  readonly remains: Remains;
  /** How many messages the faulty server was sent (B02, B10). */
  readonly requests: number;
  /** What a person read meanwhile: warnings and errors, the last ones. */
  readonly log: readonly string[];
}

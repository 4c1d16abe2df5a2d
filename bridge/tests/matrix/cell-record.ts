/** What is written down of one cell while it is driven; `judge.ts` says afterwards what it proves. */
import type { Executed, ServerState } from '../../src/internal.ts';

/** How a call ended. */
export type CallEnd =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string; readonly code: string | undefined; readonly executed: Executed | undefined };

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

/** One fault, from the healthy server before it to the healthy server after it. */
export interface Step {
  /** What the server listed before. */
  readonly before: readonly string[];
  /** What it would list while it has the fault. */
  readonly listed: readonly string[];
  /** What the host showed once the fault had fired and the host had drawn its conclusion. */
  readonly during: View;
  /** The call that met the fault, where it met one and the fault ended the connection or the answer's stream. */
  readonly cutOff: CallRecord | undefined;
  /** What it lists when it is well again. */
  readonly healed: readonly string[];
  readonly afterwards: View;
  /** The call that is made then. */
  readonly lastCall: CallRecord;
}

/** The history of one cell, or of several faults in one life. */
export interface CellRecord {
  readonly id: string;
  readonly carrier: 'stdio' | 'streamable-http';
  /** How many faults were to fire. */
  readonly faults: number;
  /** How many of them did. */
  readonly fired: number;
  readonly calls: readonly CallRecord[];
  /** By token: how often the faulty server was asked for it. */
  readonly onWire: ReadonlyMap<string, number>;
  /** None where the fault is that of the end. */
  readonly steps: readonly Step[];
  readonly remains: Remains;
  /** How many messages the faulty server was sent (B02, B10). */
  readonly requests: number;
  /** What a person read meanwhile: warnings and errors, the last ones. */
  readonly log: readonly string[];
}

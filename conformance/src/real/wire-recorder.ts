import type { TraceRecord } from 'mcp-fixture-server/trace';
import { TRACE_VERSION } from 'mcp-fixture-server/trace';
import { nowMs } from '../history/clock.ts';

/** What is known of one message, apart from counters and clock. */
export interface SeenFrame {
  readonly direction: 'client-to-server' | 'server-to-client';
  readonly message: unknown;
  readonly method: string;
  readonly session: string | undefined;
}

/** Writes trace records for a server that lives in this process, in the language that fixtures write. */
export class WireRecorder {
  readonly records: TraceRecord[] = [];
  private readonly server: string;
  private readonly listener: ((record: TraceRecord) => void) | undefined;

  constructor(server: string, listener?: (record: TraceRecord) => void) {
    this.server = server;
    this.listener = listener;
  }

  /** Records one message, or with `message: undefined` an HTTP request that carries none, such as DELETE. */
  frame(seen: SeenFrame): void {
    const raw = seen.message === undefined ? '' : JSON.stringify(seen.message);
    const record: TraceRecord = {
      trace: TRACE_VERSION,
      seq: this.records.length,
      atMs: nowMs(),
      server: this.server,
      carrier: 'streamable-http',
      incarnation: 1,
      pid: process.pid,
      ...(seen.session === undefined ? {} : { session: seen.session }),
      kind: 'frame',
      direction: seen.direction,
      raw,
      bytes: Buffer.byteLength(raw),
      ...(seen.message === undefined ? {} : { message: seen.message }),
      http: { method: seen.method },
    };
    this.records.push(record);
    this.listener?.(record);
  }
}

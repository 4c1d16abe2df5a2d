import { nowMs } from './clock.ts';
import type { FrameRecord, TraceRecord } from './schema.ts';
import { MAX_RAW_CHARS, TRACE_VERSION } from './version.ts';

/** Which process the records are about. */
export interface RecorderIdentity {
  readonly server: string;
  readonly carrier: 'stdio' | 'streamable-http';
  readonly pid: number;
}

/** What a record says beside time and process. */
export type RecordBody = TraceRecord extends infer Union
  ? Union extends TraceRecord
    ? Omit<Union, 'trace' | 'seq' | 'atMs' | 'server' | 'carrier' | 'incarnation' | 'pid'>
    : never
  : never;

/**
 * Takes one record as a line of JSON without its end. In the line of a frame the member `message` is left out: whoever
 * reads it has `raw`, and the hot path writes each message once.
 */
export type RecordSink = (line: string) => void;

/** What a frame over HTTP says beside its text. */
export type FrameContext = Pick<FrameRecord, 'http' | 'session'>;

/** Writes the trace of one process. */
export interface Recorder {
  /** Whether anybody listens; when not, `frame` costs nothing. */
  readonly active: boolean;
  /** From now on the records say that the process is this incarnation. */
  setIncarnation(incarnation: number): void;
  /** A frame crossed the wire. `text` without its line end; kept up to {@link MAX_RAW_CHARS}. */
  frame(direction: FrameRecord['direction'], text: string, bytes: number, context?: FrameContext): void;
  /** Anything else happened. */
  record(body: Exclude<RecordBody, { kind: 'frame' }>): void;
}

/** Makes a recorder that hands its lines to every sink. Of a frame it keeps `maxRawChars`, by default {@link MAX_RAW_CHARS}. */
export function createRecorder(identity: RecorderIdentity, sinks: readonly RecordSink[], maxRawChars = MAX_RAW_CHARS): Recorder {
  const after = `,"server":${JSON.stringify(identity.server)},"carrier":"${identity.carrier}","pid":${identity.pid}`;
  let seq = 0;
  let incarnation = 0;
  const write = (rest: string): void => {
    const line = `{"trace":${TRACE_VERSION},"seq":${seq},"atMs":${nowMs()}${after},"incarnation":${incarnation},${rest}}`;
    seq += 1;
    for (const sink of sinks) sink(line);
  };
  return {
    active: sinks.length > 0,
    setIncarnation(value) {
      incarnation = value;
    },
    frame(direction, text, bytes, context) {
      if (sinks.length === 0) return;
      const raw = text.length > maxRawChars ? text.slice(0, maxRawChars) : text;
      const more = context === undefined ? '' : JSON.stringify(context).slice(1, -1);
      write(`"kind":"frame","direction":"${direction}","bytes":${bytes},"raw":${JSON.stringify(raw)}${more === '' ? '' : `,${more}`}`);
    },
    record(body) {
      if (sinks.length > 0) write(JSON.stringify(body).slice(1, -1));
    },
  };
}

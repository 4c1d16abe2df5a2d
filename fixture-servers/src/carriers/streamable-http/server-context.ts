import type { EngineEvent } from '../../engine/events.ts';
import type { HttpOptions } from '../../scenario/schema.ts';
import type { Recorder, RecordBody } from '../../trace/recorder.ts';
import type { Exchange } from './exchange.ts';
import type { Owner } from './owner.ts';
import type { Budget } from './replay.ts';

/** What the process does for a server. */
export interface HttpHost {
  readonly recorder: Recorder;
  /** The number of the next session or process. @throws Error of the file system. */
  claim(): number;
  /** Ends the process, everything sent so far flushed first. */
  exit(code: number): void;
  kill(signal: NodeJS.Signals): void;
  /** The script hangs the server. */
  hang(): void;
  ignoreTerm(): void;
  stderr(text: string, times: number): void;
  /** Starts a grandchild; resolves when it runs or could not be started. */
  spawn(options: Extract<import('../../engine/events.ts').Effect, { type: 'spawn' }>['options']): Promise<void>;
  /** Resolves when the trace has left the process. */
  readonly traceFlushed: () => Promise<void>;
  /** Whether the trace lags so far behind that no request may be taken. */
  readonly traceCongested: () => boolean;
  /** The port of the process. */
  down(): void;
  up(): void;
  /** Resets the connections that this server was asked over. */
  resetConnections(): void;
  /** The base of the URL of an origin, once it listens. */
  originUrl(name: string): Promise<string>;
}

/** What the parts of a server share. */
export interface ServerContext {
  readonly host: HttpHost;
  readonly options: () => HttpOptions;
  readonly budget: Budget;
  /** The process. */
  readonly root: () => Owner;
  readonly sessions: Map<string, Owner>;
  readonly exchanges: Map<number, Exchange>;
  readonly isLoopback: boolean;
  hear(owner: Owner, event: EngineEvent): string | undefined;
  openSession(): Owner | undefined;
  closeSession(owner: Owner): void;
  /** From now on no request is answered. */
  hang(): void;
  record(owner: Owner, body: Exclude<RecordBody, { kind: 'frame' }>): void;
}

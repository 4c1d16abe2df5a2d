/**
 * A real server: a program or a library that people use as it is, not a script of ours (DESIGN.md §7). What it lists is
 * learnt by a client of ours, never from the subject.
 */
import type { ServerSpec } from '../adapter/messages.ts';
import type { Target } from '../checks/check.ts';
import type { TraceRecord } from 'mcp-fixture-server/trace';

/** Targets that are real servers. */
export type RealTarget = Exclude<Target, 'fixture'>;

/** One call that any real server of its kind answers in a known way. */
export interface KnownCall {
  /** Raw name of the tool. */
  readonly rawName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Text that the answer for the model contains. */
  readonly expect: string;
}

/** A real server that is ready to be reached. */
export interface RealServer {
  readonly target: RealTarget;
  /** How a subject reaches it. */
  readonly entry: ServerSpec;
  /** Calls that succeed. */
  readonly succeeds: readonly KnownCall[];
  /** Calls that the server answers with `isError: true` and this text. */
  readonly fails: readonly KnownCall[];
  /** Raw name of a tool that requires task execution, if there is one (S39). */
  readonly taskTool?: string;
  /** Every tool on every page, as a client of ours lists them at this moment. Rejects with `RealServerError` `unreachable`. */
  truth(): Promise<readonly unknown[]>;
  /** Process ids of what was started through `entry` and is alive; always empty for a server inside this process. */
  pids(): readonly number[];
  /** What the server received and sent, where it can be witnessed from inside; empty for a program. */
  wire(): readonly TraceRecord[];
  /** HTTP sessions that are open; always empty for a program. */
  openSessions(): readonly string[];
  /** Ends what this started, and removes what it made. Idempotent. */
  close(): Promise<void>;
}

/** Why a real server is not at hand. */
export type RealServerErrorCode =
  /** Its package is not installed, or has no program of that name. */
  | 'not-installed'
  /** It was started and did not list its tools. */
  | 'unreachable';

/** A real server could not be used: the run is inconclusive, never a verdict about a bridge. */
export class RealServerError extends Error {
  override readonly name = 'RealServerError';
  readonly code: RealServerErrorCode;

  constructor(code: RealServerErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}

/**
 * What the engine hears and what it asks for. Both are plain data and name no carrier: stdio performs them today, an
 * HTTP carrier will perform the same ones with one engine state a session.
 */
import type { Action, FrameOptions, Scenario } from '../scenario/schema.ts';
import type { Parsed } from '../jsonrpc/message.ts';

/**
 * Which exchange of the carrier a frame belongs to. stdio has one stream, {@link MAIN_EXCHANGE}; over HTTP each POST and
 * each listening stream is an exchange of its own. The engine hands back what it was given.
 */
export type Exchange = number;

/** The exchange of messages that answer nobody. */
export const MAIN_EXCHANGE: Exchange = 0;

/** What the engine hears. */
export type EngineEvent =
  /** The process or session began. Must come first. */
  | { readonly type: 'spawn' }
  /** A message of the client, or a line that was none. */
  | { readonly type: 'message'; readonly parsed: Parsed; readonly exchange: Exchange }
  /** The client closed our input. */
  | { readonly type: 'input-end' }
  /** The timer of an effect `timer` fired. */
  | { readonly type: 'timer'; readonly token: number }
  /** The grandchild of an effect `spawn` is running, or could not be started. */
  | { readonly type: 'spawned'; readonly token: number }
  /** The answer to an effect `claim`: which incarnation this is, from 1. */
  | { readonly type: 'claimed'; readonly incarnation: number }
  /** Control: let everything go on that waits at this hold. */
  | { readonly type: 'release'; readonly hold: string }
  /** Control: a signal for the rules. */
  | { readonly type: 'signal'; readonly name: string }
  /** Control: perform these actions now. */
  | { readonly type: 'do'; readonly actions: readonly Action[] }
  /** Control: another script. Lists of actions that are suspended go on; counts of matches stay if asked. */
  | { readonly type: 'program'; readonly scenario: Scenario; readonly keepCounts: boolean };

/** What a record of the trace says; the recorder adds time, process and numbers. */
export type EngineRecord =
  | { readonly kind: 'fault'; readonly rule: string; readonly action: string; readonly index: number }
  | { readonly kind: 'hold'; readonly hold: string; readonly event: 'held' | 'released' }
  | { readonly kind: 'process'; readonly event: 'incarnation' };

/** How a grandchild behaves. */
export interface GrandchildOptions {
  readonly holdStdio: boolean;
  readonly ignoreTerm: boolean;
  readonly ownGroup: boolean;
  readonly lifetimeMs: number;
}

/** A signal by which a process ends itself. */
export type KillSignal = Extract<Action, { kill: unknown }>['kill'];

/** What the engine asks the carrier to do, in this order. */
export type Effect =
  | { readonly type: 'send'; readonly text: string; readonly exchange: Exchange; readonly frame?: FrameOptions | undefined }
  | { readonly type: 'raw'; readonly bytes: Uint8Array; readonly exchange: Exchange }
  | { readonly type: 'stderr'; readonly text: string; readonly times: number }
  | { readonly type: 'timer'; readonly token: number; readonly delayMs: number }
  | { readonly type: 'claim' }
  | { readonly type: 'spawn'; readonly token: number; readonly options: GrandchildOptions }
  | { readonly type: 'ignore-term' }
  /** Read nothing more, send nothing more, stay alive. */
  | { readonly type: 'hang' }
  /** End with this code, everything sent so far flushed first. */
  | { readonly type: 'exit'; readonly code: number }
  /** End by this signal, everything sent so far flushed first. */
  | { readonly type: 'kill'; readonly signal: KillSignal }
  | { readonly type: 'record'; readonly record: EngineRecord };

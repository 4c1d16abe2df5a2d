/**
 * What the engine hears and what it asks for. Both are plain data. stdio has one engine state a process; HTTP has one
 * for the process and one a session. What only one carrier can perform is refused by the other when it is loaded.
 */
import type { Action, FrameOptions, Scenario } from '../scenario/schema.ts';
import type { Parsed } from '../jsonrpc/message.ts';
import type { Program } from './program.ts';

/**
 * Which exchange of the carrier a frame belongs to. stdio has one stream, {@link MAIN_EXCHANGE}; over HTTP each POST and
 * each listening stream is an exchange of its own. The engine hands back what it was given.
 */
export type Exchange = number;

/** The exchange of messages that answer nobody. */
export const MAIN_EXCHANGE: Exchange = 0;

/** What the engine hears. */
export type EngineEvent =
  /** The process began. Must come first. With `sessions` each session has a state of its own beside this one. */
  | { readonly type: 'spawn'; readonly sessions?: boolean }
  /** Over HTTP: a session began, in the state made for it. Its incarnation is that of the process, or 0: not counted yet. */
  | { readonly type: 'session'; readonly incarnation: number }
  /** Over HTTP, before anything else is made of a request: its method, the origin it came to, its session's incarnation. */
  | { readonly type: 'http'; readonly method: string; readonly origin: string; readonly incarnation: number; readonly exchange: Exchange }
  /** A message of the client, or a line that was none. */
  | { readonly type: 'message'; readonly parsed: Parsed; readonly exchange: Exchange }
  /** Over HTTP: every session was forgotten, as if the process had been started anew. */
  | { readonly type: 'restarted' }
  /** The client closed our input; over HTTP it deleted the session, by this exchange. */
  | { readonly type: 'input-end'; readonly exchange?: Exchange }
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
  | { readonly type: 'program'; readonly scenario: Scenario; readonly keepCounts: boolean; readonly program?: Program };

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

/** Which streams of HTTP an action is about: the answer to its request, the listening streams of its session, or both. */
export type StreamTarget = 'request' | 'listen' | 'all';

/** What the engine asks the carrier to do, in this order. */
export type Effect =
  | {
      readonly type: 'send';
      readonly text: string;
      readonly exchange: Exchange;
      readonly frame?: FrameOptions | undefined;
      /** Of an answer: the id it answers, from which HTTP tells the exchange when the engine knows none. */
      readonly answers?: { readonly value: unknown } | undefined;
    }
  | { readonly type: 'raw'; readonly bytes: Uint8Array; readonly exchange: Exchange; readonly to?: 'body' | 'connection' | undefined }
  | HttpEffect
  | { readonly type: 'stderr'; readonly text: string; readonly times: number }
  | { readonly type: 'timer'; readonly token: number; readonly delayMs: number }
  | { readonly type: 'claim' }
  | { readonly type: 'spawn'; readonly token: number; readonly options: GrandchildOptions }
  | { readonly type: 'ignore-term' }
  /** Read nothing more, send nothing more, stay alive. */
  | { readonly type: 'hang' }
  /** End with this code, everything sent so far flushed first. */
  | { readonly type: 'exit'; readonly code: number }
  /** What the client's end of input leads to is done: the process ends; over HTTP the session is deleted, no more. */
  | { readonly type: 'finish'; readonly exchange: Exchange }
  /** End by this signal, everything sent so far flushed first. */
  | { readonly type: 'kill'; readonly signal: KillSignal }
  | { readonly type: 'record'; readonly record: EngineRecord };

/** What only HTTP performs. */
export type HttpEffect =
  /** No rule takes this request: go on with it as usual. */
  | { readonly type: 'proceed'; readonly exchange: Exchange }
  /** Everything the script does about this message is done. */
  | { readonly type: 'settled'; readonly exchange: Exchange }
  /** This request is never answered. */
  | { readonly type: 'drop'; readonly exchange: Exchange }
  | { readonly type: 'open-stream'; readonly exchange: Exchange; readonly options: OpenStreamOptions }
  /** End streams as they should end, cut them off in the middle, or reset their connections. */
  | { readonly type: 'end-stream'; readonly exchange: Exchange; readonly target: StreamTarget; readonly how: 'close' | 'cut' | 'reset' }
  | { readonly type: 'close-session'; readonly exchange: Exchange }
  | { readonly type: 'respond'; readonly exchange: Exchange; readonly options: RespondOptions }
  | { readonly type: 'redirect'; readonly exchange: Exchange; readonly options: RedirectOptions }
  /** Stop listening and reset every connection; listen again on the same port; forget every session. */
  | ProcessEffect;

/** What HTTP does to the port and to all sessions. */
export interface ProcessEffect {
  readonly type: 'down' | 'up' | 'restart';
}

/** How a response begins before its first message. */
export type OpenStreamOptions = Extract<Action, { openStream: unknown }>['openStream'];
/** A response of HTTP as the script says. */
export type RespondOptions = Extract<Action, { respond: unknown }>['respond'];
/** A redirect as the script says. */
export type RedirectOptions = Extract<Action, { redirect: unknown }>['redirect'];

import type { Scenario } from '../scenario/schema.ts';
import type { Action } from '../scenario/schema.ts';
import type { Parsed } from '../jsonrpc/message.ts';
import { compileProgram, type Counter, type Program } from './program.ts';
import type { Effect, Exchange } from './events.ts';
import type { ToolList } from './tool-list.ts';

/** The most lists of actions that may wait at holds and delays at once; a client cannot make the engine grow past it. */
export const MAX_SUSPENDED = 100_000;

/** The request or notification that a list of actions answers. */
export interface Origin {
  readonly exchange: Exchange;
  readonly method: string;
  readonly params: unknown;
  /** Absent for a notification. */
  readonly id: { readonly value: unknown } | undefined;
}

/** What started a list of actions: an answer needs a message, HTTP's own actions need a request. */
export type Cause =
  /** A message of the client. */
  | 'message'
  /** A request of HTTP, before its message was looked at: `default` lets it go on. */
  | 'http'
  /** The end of input: when the list is through, the process or session ends as usual. */
  | 'input-end'
  /** The start, a timer, a signal, or the control channel. */
  | 'other';

/** A list of actions on its way. It is suspended alone: other traffic goes on. */
export interface Run {
  readonly rule: string;
  readonly actions: readonly Action[];
  readonly cause: Cause;
  readonly origin: Origin | undefined;
  /** What the list answers, {@link MAIN_EXCHANGE} when that is nothing. */
  readonly exchange: Exchange;
  next: number;
}

/**
 * The state of one process or session. It is changed in place, by `step` alone: copying it for each message would cost
 * more than answering. Nothing else may write to it, and `step` reads neither clock nor world, so the same events give
 * the same effects.
 */
export interface EngineState {
  program: Program;
  tools: ToolList;
  readonly counters: Map<string, Counter>;
  /** 0 until the process counts. */
  incarnation: number;
  /** Messages that came while the number of the incarnation was being asked for. */
  readonly unclaimed: { readonly parsed: Parsed; readonly exchange: Exchange }[];
  claiming: boolean;
  phase: 'new' | 'live' | 'hung' | 'ended';
  /** Over HTTP: the state of the process, beside which each session has its own. */
  hasSessions: boolean;
  ignoreTerm: boolean;
  /** Where the client stands in a listing whose cursors all look alike. */
  listPosition: number;
  nextToken: number;
  /** Lists that wait for a timer or a grandchild, by token. */
  readonly waiting: Map<number, Run>;
  /** Lists that wait at a hold, by its name, in order of arrival. */
  readonly held: Map<string, Run[]>;
  suspended: number;
  /** Timers of `after` rules: token to milliseconds. */
  readonly delays: Map<number, number>;
  /** What the current step asks for. */
  effects: Effect[];
}

/** A state before its first event. Sessions of one process share its compiled program. */
export function initialState(scenario: Scenario, program: Program = compileProgram(scenario)): EngineState {
  return {
    program,
    tools: program.tools,
    counters: new Map(),
    incarnation: 0,
    unclaimed: [],
    claiming: false,
    phase: 'new',
    hasSessions: false,
    ignoreTerm: false,
    listPosition: 0,
    nextToken: 1,
    waiting: new Map(),
    held: new Map(),
    suspended: 0,
    delays: new Map(),
    effects: [],
  };
}

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

/** A list of actions on its way. It is suspended alone: other traffic goes on. */
export interface Run {
  readonly rule: string;
  readonly actions: readonly Action[];
  readonly origin: Origin | undefined;
  /** The list that a rule on the end of input started: when it is through, the process ends as usual. */
  readonly endsProcess: boolean;
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

/** A state before its first event. */
export function initialState(scenario: Scenario): EngineState {
  const program = compileProgram(scenario);
  return {
    program,
    tools: program.tools,
    counters: new Map(),
    incarnation: 0,
    unclaimed: [],
    claiming: false,
    phase: 'new',
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

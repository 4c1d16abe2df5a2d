/**
 * The model: what is so of one server at each moment of a plan. Pure; the exercise asks it what to do, the judges ask it
 * what must hold. Servers know nothing of each other: that they do not is what is judged.
 */
import { MAX_UNDER_WAY, RAW_NAMES, type ModelPlan, type ModelStep } from './plan.ts';
import type { ModelRules } from './rules.ts';
import type { ModelServer } from './servers.ts';

/** One tool of one list. A version occurs once in a list. */
export interface ModelTool {
  readonly raw: string;
  readonly version: number;
}

/** A list that the server has, or had. */
export type ModelList = readonly ModelTool[];

/** A listing that the server holds. */
export interface HeldListing {
  /** Which list it will bring. */
  readonly snapshot: number;
  readonly ends: 'answer' | 'error';
  /** The newest list that was announced while it was held. */
  readonly announced: number | undefined;
  /** What was due before it began. */
  readonly dueBefore: number;
}

/** Whether the subject has a server. `closed`: the subject as a whole is. */
export type Phase = 'live' | 'dead' | 'removed' | 'closed';

/** The state of one server at one moment. */
export interface ModelState {
  readonly server: ModelServer;
  /** Every list so far; the last one is what the server has now. */
  readonly lists: readonly ModelList[];
  /** Once things have settled, the registry holds a list at least as new as this one. */
  readonly due: number;
  readonly listing: HeldListing | undefined;
  readonly phase: Phase;
  /** Names of calls that the server holds, oldest first. */
  readonly underWay: readonly string[];
}

/** The state before the first step. */
export function firstState({ size }: Pick<ModelPlan, 'size'>, server: ModelServer): ModelState {
  const list = server.names.slice(0, size).map((raw, index) => ({ raw, version: server.base + index }));
  return { server, lists: [list], due: 0, listing: undefined, phase: 'live', underWay: [] };
}

/** The number of the newest list. */
export function newest(state: ModelState): number {
  return state.lists.length - 1;
}

/** The list that the server has now. */
export function currentList(state: ModelState): ModelList {
  return state.lists.at(-1) ?? [];
}

/** Whether nothing is open, so that the registry must come to hold what is due. */
export function settles(state: ModelState): boolean {
  return state.phase === 'live' && state.listing === undefined;
}

/** Whether a step that is about this server may come now. */
export function applies(state: ModelState, step: ModelStep): boolean {
  switch (step.do) {
    case 'change':
      return true;
    case 'notify':
    case 'crash':
      return state.phase === 'live';
    case 'hold':
      return settles(state);
    case 'release':
      return state.listing !== undefined;
    case 'start':
      return state.phase === 'live' && state.underWay.length < MAX_UNDER_WAY;
    case 'finish':
    case 'cancel':
      return state.underWay.length > 0;
    case 'call':
    case 'reload':
    case 'remove':
      return state.phase === 'live' || state.phase === 'dead';
    case 'add':
      return state.phase === 'removed';
    case 'dispose':
      return state.phase !== 'closed';
    default:
      return state.phase === 'closed';
  }
}

/** The state after a step that reaches this server. `index` names what the step begins. */
export function advance(state: ModelState, step: ModelStep, index: number, rules: ModelRules): ModelState {
  const now = newest(state);
  switch (step.do) {
    case 'change':
      return { ...state, lists: [...state.lists, edited(state, step)] };
    case 'notify':
      return state.listing === undefined ? { ...state, due: now } : { ...state, listing: { ...state.listing, announced: now } };
    case 'hold':
      return { ...state, listing: { snapshot: now, ends: step.ends, announced: undefined, dueBefore: state.due } };
    case 'release':
      return { ...state, listing: undefined, due: dueAfter(state) };
    case 'start':
      return { ...state, underWay: [...state.underWay, callName(index)] };
    case 'finish':
    case 'cancel':
      return { ...state, underWay: state.underWay.filter((name) => name !== chosenCall(state, step.pick)) };
    case 'crash':
      return rules.recovers ? restarted(state) : { ...ended(state), phase: 'dead' };
    case 'remove':
      return { ...ended(state), phase: 'removed' };
    case 'dispose':
      return { ...ended(state), phase: 'closed' };
    case 'reload':
    case 'add':
    case 'open':
      return restarted(state);
    default:
      return state;
  }
}

/** The call that `finish` and `cancel` are about. */
export function chosenCall(state: ModelState, pick: number): string | undefined {
  return state.underWay[pick % Math.max(1, state.underWay.length)];
}

/** The name of the call that a step begins. It is also the name of the hold at the server. */
export function callName(index: number): string {
  return `call-of-step-${index}`;
}

function dueAfter(state: ModelState): number {
  const { listing } = state;
  if (listing === undefined) return state.due;
  // A listing that failed leaves what was; nobody owes another look unless something was announced meanwhile.
  return listing.announced ?? (listing.ends === 'answer' ? listing.snapshot : listing.dueBefore);
}

function ended(state: ModelState): ModelState {
  return { ...state, listing: undefined, underWay: [], due: state.listing?.dueBefore ?? state.due };
}

function restarted(state: ModelState): ModelState {
  return { ...ended(state), phase: 'live', due: newest(state) };
}

function edited(state: ModelState, step: Extract<ModelStep, { do: 'change' }>): ModelList {
  const { names, base } = state.server;
  const list = currentList(state);
  const version = base + RAW_NAMES.length + newest(state);
  const absent = names.filter((raw) => !list.some((tool) => tool.raw === raw));
  const added = absent[step.pick % Math.max(1, absent.length)];
  if (step.edit === 'add' && added !== undefined) return [...list, { raw: added, version }];
  const at = step.pick % Math.max(1, list.length);
  if (step.edit === 'remove' && list.length > 1) return list.filter((_, index) => index !== at);
  const changed = step.edit === 'rename' && added !== undefined ? { raw: added } : { version };
  return list.map((tool, index) => (index === at ? { ...tool, ...changed } : tool));
}

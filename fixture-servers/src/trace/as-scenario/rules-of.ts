/** Rules from what happened: one where the same always followed, one for each n-th time where it did not. */
import { inOrdinal, matches } from '../../engine/matching.ts';
import { isJsonObject, member, type JsonObject } from '../../jsonrpc/message.ts';
import type { Action, Rule, When } from '../../scenario/schema.ts';
import { canonical, comparable } from '../conversation/canonical.ts';
import type { Turn } from '../conversation/model.ts';
import { splitAtPlaceholders } from '../scrub/placeholders.ts';

/** As many as the language takes. */
const MAX_RULES = 1_000;
/** A pattern that nests deeper than the language takes is refused as a whole, with its place. */
const MAX_PATTERN_DEPTH = 256;

/** Something the server met, and what it did. No actions: the normal thing. */
export interface Event {
  readonly turn: Turn;
  readonly actions: readonly Action[];
  /** Whether the normal thing is what it did. */
  readonly isDefault: boolean;
}

/** A rule of one life, and the text of its trigger. */
export interface LifeRule {
  readonly rule: Rule;
  readonly trigger: string;
}

/** The rules with which one life happens again. */
export function rulesOf(events: readonly Event[]): LifeRule[] {
  const groups = new Map<string, { when: When; events: Event[] }>();
  for (const event of events) {
    const when = whenOf(event.turn);
    const key = canonical(when);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { when, events: [event] });
    else group.events.push(event);
  }
  // The more a trigger asks for, the earlier it stands: the first rule that matches takes the event.
  const ordered = [...groups].sort(([, a], [, b]) => weightOf(b.when) - weightOf(a.when));
  const special = ordered.filter(([, { events: own }]) => own.some((event) => !event.isDefault)).length;
  if (special > MAX_RULES) throw new RangeError(`it would take ${special} rules, and a scenario has at most ${MAX_RULES}; cut the trace to what matters`);
  const general = ordered.filter(([, { events: own }]) => own.some((event) => !event.isDefault)).map(([, { when }]) => when);
  return ordered.flatMap(([trigger, group]) => ruleOfGroup(group, events, general).map((rule) => ({ rule, trigger })));
}

function ruleOfGroup({ when, events: own }: { when: When; events: readonly Event[] }, all: readonly Event[], general: readonly When[]): Rule[] {
  if (own.every((event) => event.isDefault && !isCovered(when, event.turn, general))) return [];
  const counted = all.filter((event) => isMet(when, event.turn));
  const wanted = new Set(own.map((event) => canonical(event.actions)));
  const alone = counted.every((event) => own.includes(event) || weightOf(whenOf(event.turn)) > weightOf(when));
  if (wanted.size === 1 && alone && !own.some(happensOnce)) {
    const [first] = own;
    if (first === undefined || (first.isDefault && !isCovered(when, first.turn, general))) return [];
    return [{ when, do: doOf(first) }];
  }
  return own.flatMap((event, index): Rule[] => {
    const nth = counted.indexOf(event) + 1;
    const isLast = index === own.length - 1;
    const needed = !event.isDefault || isCovered(when, event.turn, general);
    return needed ? [{ when: { ...when, nth: isLast && !endsProcess(event.actions) && !happensOnce(event) ? { from: nth } : nth }, do: doOf(event) }] : [];
  });
}

function doOf(event: Event): Action[] {
  return event.isDefault && event.actions.length === 0 ? [{ default: {} }] : [...event.actions];
}

/** Whether a rule with a wider trigger would take an event that should have the normal answer. */
function isCovered(when: When, turn: Turn, general: readonly When[]): boolean {
  return general.some((other) => weightOf(other) < weightOf(when) && isMet(other, turn));
}

/** A change of a list is said once: a client that lists again at each notice would else never come to rest. */
function happensOnce({ actions }: Event): boolean {
  return actions.some((each) => 'setTools' in each || ('notify' in each && each.notify.method.endsWith('/list_changed')));
}

/** Whether actions end the process. */
export function endsProcess(actions: readonly Action[]): boolean {
  return actions.some((each) => 'exit' in each || 'kill' in each);
}

function whenOf(turn: Turn): When {
  if (turn.kind === 'start') return { spawn: true };
  if (turn.kind === 'input-end') return { inputEnd: true };
  const { method } = turn;
  if (method === 'initialize' || turn.kind === 'notification') return { method };
  const recorded = comparable(turn.params);
  if (!isJsonObject(recorded) || hasAny(recorded)) return { method };
  const params = asPattern(recorded);
  const name = member(params, 'name');
  if (method !== 'tools/call' || typeof name !== 'string') return { method, params };
  const { name: _name, ...rest } = params;
  return { method, tool: name, ...(Object.keys(rest).length === 0 ? {} : { params: rest }) };
}

/** `{"$any": true}` in what was recorded would be a word of the language. */
function hasAny(params: unknown): boolean {
  return canonical(params).includes('"$any"');
}

/** What a client has where `scrub` left a placeholder is not known: anything fits. A scrubbed name asks for nothing. */
function asPattern(params: JsonObject): JsonObject {
  const pattern = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return hasPlaceholder(value) ? { $any: true } : value;
    if (depth > MAX_PATTERN_DEPTH) return value;
    if (Array.isArray(value)) return value.map((item) => pattern(item, depth + 1));
    return isJsonObject(value) ? ofObject(value, depth) : value;
  };
  const ofObject = (value: JsonObject, depth: number): JsonObject =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !hasPlaceholder(key)).map(([key, item]) => [key, pattern(item, depth + 1)]));
  return ofObject(params, 0);
}

function hasPlaceholder(text: string): boolean {
  return splitAtPlaceholders(text).length > 1;
}

function isMet(when: When, turn: Turn): boolean {
  if (when.spawn === true || when.inputEnd === true) return turn.kind === (when.spawn === true ? 'start' : 'input-end');
  if (turn.kind === 'start' || turn.kind === 'input-end' || when.method !== turn.method || !inOrdinal(when.nth, 1)) return false;
  if (when.tool !== undefined && (!isJsonObject(turn.params) || member(turn.params, 'name') !== when.tool)) return false;
  return when.params === undefined || matches(when.params, turn.params);
}

function weightOf(when: When): number {
  return (when.tool === undefined ? 0 : 1) + weight(when.params);
}

/** How much a pattern asks for: the number of its members and values. */
function weight(pattern: unknown): number {
  if (Array.isArray(pattern)) return pattern.reduce((sum: number, item: unknown) => sum + weight(item), 1);
  if (!isJsonObject(pattern)) return pattern === undefined ? 0 : 1;
  if (pattern['$any'] === true) return 0;
  return Object.values(pattern).reduce((sum: number, item) => sum + weight(item), 1);
}

import type { Action, Rule, Scenario, When } from '../scenario/schema.ts';
import { isJsonObject, member } from '../jsonrpc/message.ts';
import { inOrdinal, matches } from './matching.ts';
import { createNamedLists, createToolList, type ToolList } from './tool-list.ts';

/** A counter of matches; rules with the same trigger share one. */
export interface Counter {
  count: number;
}

/** A rule made ready: its trigger text names its counter. */
export interface CompiledRule {
  readonly id: string;
  readonly when: When;
  readonly actions: readonly Action[];
  readonly trigger: string;
}

/** A scenario made ready to be performed. Immutable; what changes is in the state. */
export interface Program {
  readonly scenario: Scenario;
  readonly tools: ToolList;
  readonly list: (name: string) => ToolList | undefined;
  readonly byMethod: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly spawn: readonly CompiledRule[];
  readonly inputEnd: readonly CompiledRule[];
  /** By milliseconds after the start: one timer each. */
  readonly byDelay: ReadonlyMap<number, readonly CompiledRule[]>;
  readonly bySignal: ReadonlyMap<string, readonly CompiledRule[]>;
  /** Over HTTP: rules about requests as such. */
  readonly http: readonly CompiledRule[];
}

/** What an event offers to the rules. */
export interface Occasion {
  /** The params of the client's message, if it is one. */
  readonly params: unknown;
  readonly incarnation: number;
  /** Of a request over HTTP: its method and the origin it came to. */
  readonly http?: { readonly method: string; readonly origin: string };
}

/** Sorts the rules by trigger, so that an event looks only at its own. */
export function compileProgram(scenario: Scenario): Program {
  const byMethod = new Map<string, CompiledRule[]>();
  const bySignal = new Map<string, CompiledRule[]>();
  const spawn: CompiledRule[] = [];
  const inputEnd: CompiledRule[] = [];
  const http: CompiledRule[] = [];
  const byDelay = new Map<number, CompiledRule[]>();
  scenario.rules.forEach((rule, index) => {
    const compiled = compileRule(rule, index);
    const { when } = rule;
    if (when.method !== undefined) append(byMethod, when.method, compiled);
    else if (when.signal !== undefined) append(bySignal, when.signal, compiled);
    else if (when.spawn !== undefined) spawn.push(compiled);
    else if (when.inputEnd !== undefined) inputEnd.push(compiled);
    else if (when.http !== undefined) http.push(compiled);
    else append(byDelay, when.after ?? 0, compiled);
  });
  return {
    scenario, tools: createToolList(scenario.tools), list: createNamedLists(scenario), byMethod, spawn, inputEnd, byDelay, bySignal,
    http,
  };
}

function compileRule(rule: Rule, index: number): CompiledRule {
  const { nth: _nth, incarnation: _incarnation, ...trigger } = rule.when;
  return { id: rule.id ?? `rule-${index}`, when: rule.when, actions: rule.do, trigger: JSON.stringify(trigger) };
}

function append<Key>(into: Map<Key, CompiledRule[]>, key: Key, rule: CompiledRule): void {
  const rules = into.get(key);
  if (rules === undefined) into.set(key, [rule]);
  else rules.push(rule);
}

/**
 * The first rule that matches. Every trigger counts its matches, also when an earlier rule takes the event: `nth: 2`
 * means the second such event of the process, whoever answered the first.
 */
export function selectRule(
  rules: readonly CompiledRule[],
  counters: Map<string, Counter>,
  occasion: Occasion,
): CompiledRule | undefined {
  const counted = new Map<string, number>();
  let selected: CompiledRule | undefined;
  for (const rule of rules) {
    let count = counted.get(rule.trigger);
    if (count === undefined) {
      count = triggers(rule.when, occasion) ? increment(counters, rule.trigger) : 0;
      counted.set(rule.trigger, count);
    }
    const fits = count > 0 && inOrdinal(rule.when.nth, count) && inOrdinal(rule.when.incarnation, occasion.incarnation);
    if (fits) selected ??= rule;
  }
  return selected;
}

function triggers(when: When, occasion: Occasion): boolean {
  if (when.http !== undefined && when.http !== 'any' && when.http !== occasion.http?.method) return false;
  if (when.origin !== undefined && when.origin !== occasion.http?.origin) return false;
  if (when.tool !== undefined) {
    if (!isJsonObject(occasion.params) || member(occasion.params, 'name') !== when.tool) return false;
  }
  return when.params === undefined || matches(when.params, occasion.params);
}

function increment(counters: Map<string, Counter>, trigger: string): number {
  let counter = counters.get(trigger);
  if (counter === undefined) {
    counter = { count: 0 };
    counters.set(trigger, counter);
  }
  counter.count += 1;
  return counter.count;
}

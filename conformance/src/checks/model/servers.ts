/** The servers of a plan. Both list tools of the same raw names where the subject's names tell them apart. */
import { RAW_NAMES, serverOf, type ModelPlan } from './plan.ts';
import type { ModelRules } from './rules.ts';

/** What the servers are called. */
export const SERVERS = ['model', 'other'] as const;

/** How far the versions of one server's tools are from those of the other: more than a plan has steps. */
const VERSIONS_APART = 500;

/** One server, as the model sees it before anything happens. */
export interface ModelServer {
  readonly name: string;
  /** Raw names that its lists may hold. */
  readonly names: readonly string[];
  /** Where versions of its tools begin. */
  readonly base: number;
}

/** Every server that the subject can have at once. */
export function allServers(base: number, rules: ModelRules): readonly ModelServer[] {
  return SERVERS.slice(0, rules.servers === 'one' ? 1 : undefined).map((name, number) => ({
    name,
    names: number === 0 || rules.sharesNames ? RAW_NAMES : RAW_NAMES.map((raw) => `${raw}-of-${name}`),
    base: base + number * VERSIONS_APART,
  }));
}

/** The servers that a plan is about: the second one only where a step is. */
export function serversOf(plan: ModelPlan, rules: ModelRules): readonly ModelServer[] {
  return allServers(plan.base, rules).slice(0, 1 + Math.max(0, ...plan.steps.map(serverOf)));
}

/** What is well formed and can hardly be meant: rules that no client makes fire. Warnings of `lint`, never errors. */
import type { Explained } from './explain.ts';
import type { Action, Scenario, ToolEntry } from './schema.ts';
import { suggest } from './suggest.ts';

/** What MCP clients send, as of revision 2025-11-25. Another method is no mistake in itself, unless it is nearly one of these. */
const CLIENT_METHODS = [
  'initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'resources/templates/list',
  'resources/subscribe', 'resources/unsubscribe', 'prompts/list', 'prompts/get', 'completion/complete', 'logging/setLevel',
  'tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel', 'notifications/initialized', 'notifications/cancelled',
  'notifications/progress', 'notifications/roots/list_changed',
];
/** From how many names a nearest one is looked for: lists go up to a hundred thousand. */
const MAX_SUGGESTED_FROM = 1_000;

/** The rules of a scenario that can hardly fire, with their place. `more`: what else is done to it, from a case's steps. */
export function doubts(scenario: Scenario, more: readonly Action[] = []): Explained[] {
  const tools = listedTools(scenario, more);
  return scenario.rules.flatMap(({ when }, index): Explained[] => {
    const at = (key: string): Explained['path'] => ['rules', index, 'when', key];
    if (when.method !== undefined && !CLIENT_METHODS.includes(when.method)) {
      const near = suggest(when.method, CLIENT_METHODS);
      if (near === undefined) return [];
      return [{ path: at('method'), message: `no MCP client sends \`${when.method}\`, so the rule never applies; did you mean \`${near}\`?` }];
    }
    if (when.tool === undefined || tools.has(when.tool)) return [];
    const near = suggest(when.tool, [...tools.names].slice(0, MAX_SUGGESTED_FROM));
    const hint = near === undefined ? 'list it in `tools`, or correct the name' : `did you mean \`${near}\`?`;
    return [{ path: at('tool'), message: `no list has the tool \`${when.tool}\`, so a client that calls what is listed never meets the rule; ${hint}` }];
  });
}

interface ListedTools {
  readonly names: ReadonlySet<string>;
  has(name: string): boolean;
}

/** Every tool that some list may show, those written into an answer by hand included. */
function listedTools(scenario: Scenario, more: readonly Action[]): ListedTools {
  const names = new Set<string>();
  const generators: { prefix: string; suffix: string; from: number; to: number }[] = [];
  const take = (entries: readonly ToolEntry[]): void => {
    for (const entry of entries) {
      if ('generate' in entry) {
        const { name, start, count } = entry.generate;
        const [prefix = '', ...rest] = name.split('{n}');
        generators.push({ prefix, suffix: rest.join('{n}'), from: start, to: start + count });
        names.add(name.replaceAll('{n}', String(start)));
      } else if ('raw' in entry) collectNames(entry.raw, names);
      else if ('name' in entry) names.add(entry.name);
    }
  };
  take(scenario.tools);
  for (const entries of Object.values(scenario.toolLists ?? {})) take(entries);
  const actions = [...scenario.rules.flatMap((rule) => rule.do), ...more];
  for (const action of actions) {
    if ('setTools' in action && 'tools' in action.setTools) take(action.setTools.tools);
    else if ('reply' in action) collectNames(action.reply.result, names);
  }
  // Bytes may list anything, and are not looked into.
  const hasBytes = actions.some((action) => 'raw' in action);
  return {
    names,
    has: (name) => hasBytes || names.has(name) || generators.some(({ prefix, suffix, from, to }) => {
      if (!name.startsWith(prefix) || !name.endsWith(suffix)) return false;
      const number = Number(name.slice(prefix.length, name.length - suffix.length) || Number.NaN);
      return number >= from && number < to;
    }),
  };
}

/** The values of all members `name`; iterative, since an answer may nest deeply. */
function collectNames(value: unknown, names: Set<string>): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const name: unknown = Reflect.get(next, 'name');
    if (typeof name === 'string') names.add(name);
    for (const member of Object.values(next)) open.push(member);
  }
}

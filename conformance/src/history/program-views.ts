/**
 * Pure helpers for judges: what the script of a server lists.
 */
import { scenario, type Scenario, type ToolEntry } from 'mcp-fixture-server/scenario';
import { eventsOf, type At } from './basic-views.ts';
import type { History } from './schema.ts';

/** The script of one server at one moment, with its defaults. */
export function programAt(history: History, server: string, before = history.length): At<Scenario> | undefined {
  const found = eventsOf(history, 'program').findLast(({ index, event }) => event.server === server && index < before);
  return found === undefined ? undefined : { index: found.index, event: scenario.parse(found.event.scenario) };
}

/** Names of all servers that were ever scripted, in order of first appearance. */
export function scriptedServers(history: History): string[] {
  return [...new Set(eventsOf(history, 'program').map(({ event }) => event.server))];
}

/**
 * What `tools/list` gives for these entries when no rule interferes: written tools without `result` and `error`,
 * generated ones written out, raw ones as they are.
 */
export function listedTools(entries: readonly ToolEntry[]): unknown[] {
  return entries.flatMap((entry): unknown[] => {
    if ('raw' in entry) return [entry.raw];
    if ('fromTrace' in entry) return [];
    if ('generate' in entry) return generated(entry.generate);
    const { result: _result, error: _error, ...listed } = entry;
    return [{ ...listed, inputSchema: listed.inputSchema ?? { type: 'object' } }];
  });
}

/** Names of the tools that are listed under a string. */
export function listedNames(entries: readonly ToolEntry[]): string[] {
  return listedTools(entries).flatMap((tool) => {
    const name: unknown = typeof tool === 'object' && tool !== null && 'name' in tool ? tool.name : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

function generated(spec: Extract<ToolEntry, { generate: unknown }>['generate']): unknown[] {
  return Array.from({ length: spec.count }, (_, offset) => {
    const n = String(spec.start + offset);
    return {
      name: spec.name.replaceAll('{n}', n),
      ...(spec.description === undefined ? {} : { description: spec.description.replaceAll('{n}', n) }),
      inputSchema: spec.inputSchema ?? { type: 'object' },
      ...(spec.outputSchema === undefined ? {} : { outputSchema: spec.outputSchema }),
    };
  });
}

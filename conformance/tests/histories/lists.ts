/** What hand-written histories of names, discovery and generations share. */
import { offered, type HistoryBuilder } from './builder.ts';
import type { OfferedTool } from '../../src/adapter/messages.ts';

/** Tools as a server lists them. */
export function listed(...names: readonly string[]): object[] {
  return names.map((name) => ({ name, inputSchema: { type: 'object' } }));
}

/** The registry of a bridge that puts `p_` before each name. */
export function offeredAll(...names: readonly string[]): OfferedTool[] {
  return names.map((name) => offered(`p_${name}`));
}

/** Looks at a registry that holds these, then calls each and reaches it. */
export function lookAndCall(builder: HistoryBuilder, server: string, ...names: readonly string[]): HistoryBuilder {
  builder.registry(offeredAll(...names));
  return callAll(builder, server, ...names);
}

/** Calls each and reaches it. */
export function callAll(builder: HistoryBuilder, server: string, ...names: readonly string[]): HistoryBuilder {
  for (const name of names) builder.call(`p_${name}`, server, name);
  return builder;
}

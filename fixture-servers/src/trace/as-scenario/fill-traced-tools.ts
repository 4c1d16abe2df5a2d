import { isJsonObject } from '../../jsonrpc/message.ts';
import type { ToolEntry } from '../../scenario/schema.ts';

/**
 * A scenario or case as it was read, with the entries put where `fromTrace` stands. The file itself reads nothing: a
 * stranger's one is safe to run.
 */
export function fillTracedTools(file: unknown, entries: readonly ToolEntry[]): unknown {
  if (!isJsonObject(file)) return file;
  if (isJsonObject(file['servers'])) {
    return { ...file, servers: mapValues(file['servers'], (server) => (isJsonObject(server) ? { ...server, scenario: fillTracedTools(server['scenario'], entries) } : server)) };
  }
  const list = (value: unknown): unknown =>
    Array.isArray(value) ? value.flatMap((entry: unknown): readonly unknown[] => (isJsonObject(entry) && Object.hasOwn(entry, 'fromTrace') ? entries : [entry])) : value;
  return {
    ...file,
    ...(Object.hasOwn(file, 'tools') ? { tools: list(file['tools']) } : {}),
    ...(isJsonObject(file['toolLists']) ? { toolLists: mapValues(file['toolLists'], list) } : {}),
  };
}

function mapValues(object: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    Object.defineProperty(out, key, { value: change(value), enumerable: true, configurable: true, writable: true });
  }
  return out;
}

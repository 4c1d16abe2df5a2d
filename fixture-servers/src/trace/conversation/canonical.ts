import { isJsonObject, type JsonObject } from '../../jsonrpc/message.ts';
import { isPlaceholder, splitAtPlaceholders } from '../scrub/placeholders.ts';

/** Deeper values are not compared: nobody writes them, and they must not exhaust the stack. */
const MAX_DEPTH = 200;

/** What stands for a value nested too deeply to be compared: equal to nothing that was recorded. */
const TOO_DEEP = '"(nested too deeply)"';

/** JSON of a value in which equal values are equal text: the members of objects are in order. */
export function canonical(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key], depth + 1)}`);
  return `{${members.join(',')}}`;
}

/**
 * The params of a request without what differs from one client to the next: `_meta.progressToken`, and then an empty
 * `_meta` and empty params.
 */
export function comparable(params: unknown): unknown {
  if (!isJsonObject(params)) return params;
  const { _meta: meta, ...rest } = params;
  if (isJsonObject(meta)) {
    const { progressToken: _token, ...others } = meta;
    if (Object.keys(others).length > 0) return { ...rest, _meta: others };
  } else if (meta !== undefined) return params;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** Whether a recorded value fits a live one. A placeholder of `scrub` in it fits any text (where it stands). */
export function fits(recorded: unknown, live: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof recorded === 'string') return typeof live === 'string' && textFits(recorded, live);
  if (Array.isArray(recorded)) {
    return Array.isArray(live) && live.length === recorded.length && recorded.every((item, index) => fits(item, live[index], depth + 1));
  }
  if (!isJsonObject(recorded)) return recorded === live;
  if (!isJsonObject(live)) return false;
  const keys = Object.keys(recorded);
  return keys.length === Object.keys(live).length && keys.every((key) => Object.hasOwn(live, key) && fits(recorded[key], live[key], depth + 1));
}

function textFits(recorded: string, live: string): boolean {
  if (recorded === live || isPlaceholder(recorded)) return true;
  const parts = splitAtPlaceholders(recorded).filter((_part, index) => index % 2 === 0);
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1 || !live.startsWith(first) || !live.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = live.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= live.length - last.length;
}

/** How alike two values are: the number of equal members, counted one level into `arguments`. */
export function likeness(left: unknown, right: unknown): number {
  if (!isJsonObject(left) || !isJsonObject(right)) return canonical(left) === canonical(right) ? 1 : 0;
  return alike(left, right) + alike(asObject(left['arguments']), asObject(right['arguments']));
}

function alike(left: JsonObject, right: JsonObject): number {
  return Object.keys(left).filter((key) => Object.hasOwn(right, key) && canonical(left[key]) === canonical(right[key])).length;
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

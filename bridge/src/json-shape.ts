/**
 * Small questions about parsed JSON.
 * @module
 */
import type { JsonObject } from './host-services.ts';

/** Whether a value is a JSON object (no array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value can be read by key: an object of any origin, no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Size of a number, a literal, a pair of brackets or a separator in the estimate below, in bytes. */
const TOKEN_BYTES = 4;

/**
 * A cheap estimate of a value's JSON size in bytes, good enough for a bound: text counts one byte a character, so the
 * true size is at most about three times as large. Works on any depth, since a server chooses it.
 */
export function approximateJsonBytes(value: unknown): number {
  let bytes = 0;
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const item = stack.pop();
    bytes += TOKEN_BYTES;
    if (typeof item === 'string') {
      bytes += item.length;
    } else if (Array.isArray(item)) {
      for (const member of item) stack.push(member);
    } else if (isRecord(item)) {
      for (const key in item) {
        bytes += key.length + TOKEN_BYTES;
        stack.push(item[key]);
      }
    }
  }
  return bytes;
}

/**
 * How many levels of lists and objects a value nests: 0 for a text or number, 1 for `{}`. Works on any depth, level by
 * level, since a server chooses it.
 */
export function jsonDepth(value: unknown): number {
  let depth = 0;
  for (let level = [value].filter(isContainer); level.length > 0; depth += 1) {
    const next: object[] = [];
    for (const container of level) {
      // Own members only: a parsed object has no others, but a schema may be named `constructor` in it.
      for (const member of Array.isArray(container) ? container : Object.values(container)) if (isContainer(member)) next.push(member);
    }
    level = next;
  }
  return depth;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether two parsed values are the same JSON text, key order included (S25, S27). Works on any depth. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  try {
    return JSON.stringify(left) === JSON.stringify(right);
  } catch {
    // Too deep for the quick way.
    return compareMembers(left, right, true);
  }
}

/** Whether two JSON values hold the same, key order apart; a copy equals its original. Works on any depth. */
export function equalJson(left: unknown, right: unknown): boolean {
  return compareMembers(left, right, false);
}

function compareMembers(left: unknown, right: unknown, isOrdered: boolean): boolean {
  const pairs: (readonly [unknown, unknown])[] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return false;
      for (const [index, member] of one.entries()) pairs.push([member, other[index]]);
    } else if (isRecord(one) && isRecord(other)) {
      const keys = Object.keys(one);
      const otherKeys = Object.keys(other);
      if (keys.length !== otherKeys.length) return false;
      if (!keys.every((key, index) => (isOrdered ? key === otherKeys[index] : Object.hasOwn(other, key)))) return false;
      for (const key of keys) pairs.push([one[key], other[key]]);
    } else {
      return false;
    }
  }
  return true;
}

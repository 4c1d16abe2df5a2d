import type { When } from '../scenario/schema.ts';
import { isJsonObject, member } from '../jsonrpc/message.ts';

/** A number, or a closed range, as rules give it for `nth` and `incarnation`. */
export type Ordinal = NonNullable<When['nth']>;

/** Whether the count is the one, or in the range, that the rule names. Absent: always. */
export function inOrdinal(ordinal: Ordinal | undefined, count: number): boolean {
  if (ordinal === undefined) return true;
  if (typeof ordinal === 'number') return ordinal === count;
  return count >= (ordinal.from ?? 1) && count <= (ordinal.to ?? Number.POSITIVE_INFINITY);
}

/**
 * Whether `actual` has what `expected` says: objects member by member (more members are fine), lists element by element,
 * anything else by equality. `{"$any": true}` stands for any value that is present.
 */
export function matches(expected: unknown, actual: unknown): boolean {
  if (isJsonObject(expected)) {
    if (isAny(expected)) return actual !== undefined;
    if (!isJsonObject(actual)) return false;
    return Object.keys(expected).every(
      (key) => Object.hasOwn(actual, key) && matches(member(expected, key), member(actual, key)),
    );
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => matches(item, actual[index]))
    );
  }
  return expected === actual;
}

function isAny(expected: Readonly<Record<string, unknown>>): boolean {
  return member(expected, '$any') === true && Object.keys(expected).length === 1;
}

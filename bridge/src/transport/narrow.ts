/** Small questions about values of unknown make. */
import type { JsonObject } from '../host-services.ts';

/** Whether a value is an object with members, no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same for a value that came out of JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** The `code` of a system error such as `ENOENT`; `undefined` when there is none. */
export function systemCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

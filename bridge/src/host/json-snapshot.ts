/**
 * Lossless JSON: a detached, deep-frozen copy of a value, or an error that says which member is no JSON.
 */
import type { JsonObject, JsonValue } from '../host-services.ts';

/**
 * How deep a value may nest. A copy is recursive, and a peer chooses the depth; a thousand levels are far beyond any
 * real result and far below the stack's end.
 */
export const defaultMaxValueDepth = 1000;

/** The value is no lossless JSON. */
export class JsonSnapshotError extends TypeError {
  override readonly name = 'JsonSnapshotError';
  readonly code = 'NOT_JSON';

  constructor(path: string, what: string) {
    super(`${path === '' ? 'the value' : `the value at ${path}`} is ${what}, which JSON cannot carry without loss`);
  }
}

/**
 * Copies a JSON value and freezes the copy, all levels. Key order is kept; `__proto__` is an ordinary key (B15).
 * @throws JsonSnapshotError for `undefined`, functions, symbols, bigints, non-finite numbers, sparse arrays, class
 *   instances, cycles, and for nesting deeper than `maxDepth` levels.
 */
export function snapshotJson(value: unknown, maxDepth: number = defaultMaxValueDepth): JsonValue {
  return copy(value, '', maxDepth);
}

function copy(value: unknown, path: string, depthLeft: number): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new JsonSnapshotError(path, String(value));
    return value;
  }
  if (typeof value !== 'object') throw new JsonSnapshotError(path, value === undefined ? 'undefined' : `a ${typeof value}`);
  // A cycle ends here as well: it is nesting without an end.
  if (depthLeft <= 0) throw new JsonSnapshotError(path.slice(0, 200), 'nested too deep');
  return Array.isArray(value) ? copyArray(value, path, depthLeft - 1) : copyObject(value, path, depthLeft - 1);
}

function copyArray(source: readonly unknown[], path: string, depthLeft: number): JsonValue {
  const result: JsonValue[] = [];
  for (let index = 0; index < source.length; index += 1) {
    result.push(copy(source[index], `${path}/${index}`, depthLeft));
  }
  Object.freeze(result);
  return result;
}

function copyObject(source: object, path: string, depthLeft: number): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(source);
  if (prototype !== Object.prototype && prototype !== null) throw new JsonSnapshotError(path, 'an instance of a class');
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(source)) {
    const copied = copy(member, `${path}/${key}`, depthLeft);
    if (key === '__proto__') Object.defineProperty(result, key, { value: copied, enumerable: true });
    else result[key] = copied;
  }
  return Object.freeze(result);
}

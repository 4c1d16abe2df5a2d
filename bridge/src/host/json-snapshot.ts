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
 * How many values one value may hold, itself included. A server chooses the number, and a copy costs about a tenth of a
 * microsecond for each; as many as the bridge takes in one message.
 */
export const defaultMaxValues = 1_000_000;

/** Bounds of a copy. */
export interface SnapshotLimits {
  /** Levels of lists and objects; default {@link defaultMaxValueDepth}. */
  readonly maxDepth?: number;
  /** Values in all; default {@link defaultMaxValues}. */
  readonly maxValues?: number;
}

/**
 * Copies a JSON value and freezes the copy, all levels. Key order is kept; `__proto__` is an ordinary key (B15).
 * @throws JsonSnapshotError for `undefined`, functions, symbols, bigints, non-finite numbers, sparse arrays, class
 *   instances, cycles, for nesting deeper than `maxDepth` levels and for more than `maxValues` values.
 */
export function snapshotJson(value: unknown, { maxDepth = defaultMaxValueDepth, maxValues = defaultMaxValues }: SnapshotLimits = {}): JsonValue {
  return copy(value, { path: [], depthLeft: maxDepth, valuesLeft: maxValues });
}

/** Where a copy is, and what it may still do. The path becomes text only where something is wrong. */
interface CopyState {
  readonly path: (string | number)[];
  depthLeft: number;
  valuesLeft: number;
}

function copy(value: unknown, state: CopyState): JsonValue {
  if (state.valuesLeft <= 0) throw new JsonSnapshotError(placeOf(state), 'beyond the number of values that may be held');
  state.valuesLeft -= 1;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new JsonSnapshotError(placeOf(state), String(value));
    return value;
  }
  if (typeof value !== 'object') throw new JsonSnapshotError(placeOf(state), value === undefined ? 'undefined' : `a ${typeof value}`);
  // A cycle ends here as well: it is nesting without an end.
  if (state.depthLeft <= 0) throw new JsonSnapshotError(placeOf(state), 'nested too deep');
  state.depthLeft -= 1;
  const copied = Array.isArray(value) ? copyArray(value, state) : copyObject(value, state);
  state.depthLeft += 1;
  return copied;
}

function copyMember(key: string | number, member: unknown, state: CopyState): JsonValue {
  state.path.push(key);
  const copied = copy(member, state);
  state.path.pop();
  return copied;
}

/** Where the fault is, as a path, no longer than a message can bear. */
function placeOf({ path }: CopyState): string {
  return path.slice(0, PLACE_PARTS).map((part) => `/${String(part).slice(0, PLACE_CHARS)}`).join('').slice(0, PLACE_CHARS);
}

/** Parts of a path that are written. */
const PLACE_PARTS = 100;

/** Longest path that is written, characters. */
const PLACE_CHARS = 200;

function copyArray(source: readonly unknown[], state: CopyState): JsonValue {
  const result: JsonValue[] = [];
  for (let index = 0; index < source.length; index += 1) result.push(copyMember(index, source[index], state));
  Object.freeze(result);
  return result;
}

function copyObject(source: object, state: CopyState): JsonValue {
  const prototype: unknown = Object.getPrototypeOf(source);
  if (prototype !== Object.prototype && prototype !== null) throw new JsonSnapshotError(placeOf(state), 'an instance of a class');
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(source)) {
    const copied = copyMember(key, member, state);
    if (key === '__proto__') Object.defineProperty(result, key, { value: copied, enumerable: true });
    else result[key] = copied;
  }
  return Object.freeze(result);
}

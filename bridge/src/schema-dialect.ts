/**
 * Rewrites a schema where the compiler reads it otherwise than its dialect does (B14).
 * @module
 */
import type { JsonObject, JsonValue } from './host-services.ts';
import { isJsonObject } from './json-shape.ts';

/** Keywords whose value is a schema, or a list of them. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'allOf', 'anyOf',
  'oneOf', 'not', 'if', 'then', 'else',
]);

/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', 'definitions', '$defs']);

/** What may stand beside a `$ref` of draft-07: it says nothing of a value, and references may point into it. */
const BESIDE_REF: ReadonlySet<string> = new Set(['$ref', 'definitions', '$defs']);

/**
 * The schema without what its dialect ignores but the compiler enforces: `nullable`, which is OpenAPI's, everywhere; with
 * `refStandsAlone`, as in draft-07, all that is beside a `$ref`.
 * @throws {Error} when it describes a property `__proto__`, which the compiler passes over
 */
export function asDialectReads(schema: JsonObject, refStandsAlone: boolean): JsonObject {
  const isAlone = refStandsAlone && typeof schema['$ref'] === 'string';
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== 'nullable' && (!isAlone || BESIDE_REF.has(keyword)));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, readKeyword(keyword, value, refStandsAlone)]));
}

/** A schema, a list of them, or what is no schema. */
function readSchemas(value: JsonValue, refStandsAlone: boolean): JsonValue {
  if (Array.isArray(value)) return value.map((member) => readSchemas(member, refStandsAlone));
  return isJsonObject(value) ? asDialectReads(value, refStandsAlone) : value;
}

function readKeyword(keyword: string, value: JsonValue, refStandsAlone: boolean): JsonValue {
  if (SCHEMAS.has(keyword)) return readSchemas(value, refStandsAlone);
  return MAPS.has(keyword) && isJsonObject(value) ? readMap(keyword, value, refStandsAlone) : value;
}

function readMap(keyword: string, map: JsonObject, refStandsAlone: boolean): JsonObject {
  if (keyword === 'properties' && Object.hasOwn(map, '__proto__')) throw new Error('it describes a property "__proto__", which cannot be judged');
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, readSchemas(schema, refStandsAlone)]));
}

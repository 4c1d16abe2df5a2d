/**
 * Whether a structured result contradicts what its tool promises (CALL-013). Only plain words of one dialect, 2020-12, are
 * understood; a schema that uses others promises nothing, so none is enforced by half.
 */
import { isObject, type JsonObject } from './json.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject, array: Array.isArray, null: (value) => value === null, integer: Number.isInteger,
  string: (value) => typeof value === 'string', number: (value) => typeof value === 'number', boolean: (value) => typeof value === 'boolean',
};
const WORDS = new Set(['$schema', 'type', 'properties', 'required', 'dependentRequired', 'items', 'prefixItems', 'title', 'description', 'default', 'examples']);

/** @returns where and why a value does not fit, or nothing */
export function misfit(schema: unknown, value: unknown): string | undefined {
  return isObject(schema) && (schema['$schema'] ?? DIALECT) === DIALECT && isKnown(schema) ? whyNot(schema, value, 'it') : undefined;
}

function isKnown(schema: JsonObject): boolean {
  const inner = [...Object.values(objectOf(schema['properties'])), ...listOf(schema['prefixItems']), ...(schema['items'] === undefined ? [] : [schema['items']])];
  return Object.keys(schema).every((word) => WORDS.has(word)) && namesOf(schema['type']).every((type) => Object.hasOwn(TYPES, type)) && inner.every((one) => isObject(one) && isKnown(one));
}

function whyNot(schema: JsonObject, value: unknown, at: string): string | undefined {
  const types = namesOf(schema['type']);
  if (types.length > 0 && !types.some((type) => TYPES[type]?.(value))) return `${at} is no ${types.join(' or ')}`;
  const inner: [place: string, schema: unknown, value: unknown][] = [];
  if (isObject(value)) {
    const due = Object.entries(objectOf(schema['dependentRequired'])).flatMap(([name, others]) => (Object.hasOwn(value, name) ? namesOf(others) : []));
    const missing = [...namesOf(schema['required']), ...due].find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return `${at} has no ${JSON.stringify(missing)}`;
    for (const [name, one] of Object.entries(objectOf(schema['properties']))) if (Object.hasOwn(value, name)) inner.push([name, one, value[name]]);
  }
  if (Array.isArray(value)) {
    const first = listOf(schema['prefixItems']);
    for (const [place, one] of (value as unknown[]).entries()) inner.push([String(place), first[place] ?? schema['items'], one]);
  }
  for (const [place, one, held] of inner) {
    const why = isObject(one) ? whyNot(one, held, `${at}.${place}`) : undefined;
    if (why !== undefined) return why;
  }
  return undefined;
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const namesOf = (value: unknown): string[] => [value].flat().filter((name): name is string => typeof name === 'string');

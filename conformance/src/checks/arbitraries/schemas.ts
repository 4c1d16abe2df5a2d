/**
 * Input schemas that restrict nothing, so that any call passes them, and descriptions: everything in them is to reach the
 * model as it is.
 */
import * as fc from 'fast-check';
import { oneOfEach } from './one-of-each.ts';

/** What one tool says about itself. */
export interface Listed {
  readonly kind: string;
  readonly description: string | undefined;
  readonly inputSchema: unknown;
}

const word = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')), minLength: 1, maxLength: 8 });
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const leaf = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'boolean', 'null', 'array'), description: text }),
  fc.record({ enum: fc.array(fc.oneof(text, fc.integer(), fc.constant(null), fc.boolean()), { minLength: 1, maxLength: 4 }) }),
  fc.record({ default: fc.jsonValue({ maxDepth: 2 }), examples: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 2 }) }),
  fc.boolean(),
);

/** An object with its keys in just this order; also `__proto__` is a key like any other. */
function object(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

const properties = fc.uniqueArray(fc.tuple(word, leaf), { selector: ([key]) => key, maxLength: 6 }).map(object);

const KINDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  plain: properties.map((given) => ({ type: 'object', properties: given })),
  bare: fc.constant({ type: 'object' }),
  'reversed-keys': properties.map((given) => object([['title', 'z'], ['properties', given], ['type', 'object'], ['$comment', 'a']])),
  // Keys that a reader might sort, drop or stumble over.
  'odd-keys': leaf.map((given) => ({ type: 'object', properties: object([['zulu', given], ['alpha', {}], ['__proto__', given], ['constructor', {}], ['', {}], ['ключ', true], ['a.b', {}], ['10', {}], ['9', {}]]) })),
  // References and definitions, as in R14.
  definitions: leaf.map((given) => ({
    type: 'object', properties: { query_model: { $ref: '#/$defs/ScheduleQuery' } },
    $defs: { ScheduleQuery: { anyOf: [{ type: 'object', properties: { at: given } }, { $ref: '#/$defs/Other' }] }, Other: true },
  })),
  dialect: fc.constantFrom('https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#').map(($schema) => ({ $schema, type: 'object', $id: 'urn:example:one', additionalProperties: true })),
  extensions: fc.jsonValue({ maxDepth: 3 }).map((given) => ({ type: 'object', 'x-order': given, _meta: { 'example.com/hint': given }, deprecated: false })),
  numbers: fc.double({ noNaN: true, noDefaultInfinity: true }).map((given) => ({ type: 'object', properties: { n: { multipleOf: 0.1, examples: [Object.is(given, -0) ? 0 : given, 1e21, 1e-7, 0.1] } } })),
  combined: leaf.map((given) => ({ type: 'object', anyOf: [{ required: ['nothing'] }, {}], allOf: [{ properties: { p: given } }], not: { required: ['never_given'] } })),
  // Without an object root, as in R11 and R14.
  rootless: fc.oneof(
    properties.map((given) => ({ anyOf: [{ properties: given }, { properties: { other: {} } }, {}] })),
    properties.map((given) => ({ $ref: '#/$defs/Root', $defs: { Root: { properties: given } } })),
    properties.map((given) => ({ properties: given })),
    fc.constant({}),
  ),
  deep: fc.integer({ min: 5, max: 30 }).map((depth) => {
    let inner: object = { type: 'string' };
    for (let level = 0; level < depth; level += 1) inner = { type: 'object', properties: { [`level${level}`]: inner } };
    return inner;
  }),
};

const descriptions = fc.oneof(
  text,
  fc.constantFrom('', ' ', '\n', '# Heading\n\n- item\n\n```ts\ncode\n```', '<b>bold</b> & "quoted"', 'e\u0301 \u2028 😀 مرحبا', '[[looks like a mark|00]]', 'x'.repeat(5000)),
  fc.constant(undefined),
);

/** A list with one tool of each kind of schema, in random order. */
export const listedSchemas: fc.Arbitrary<Listed[]> = oneOfEach<Listed>(
  Object.entries(KINDS).map(([kind, schema]) => fc.record({ kind: fc.constant(kind), description: descriptions, inputSchema: schema })),
);

/** Which kinds are in a list. */
export function schemaKindsOf(tools: readonly Listed[]): string[] {
  return [...new Set(tools.map(({ kind }) => kind))];
}

/** How many inputs hold each kind at least. */
export function schemaMinimums(runs: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, runs]));
}

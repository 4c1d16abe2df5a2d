import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../src/host-services.ts';
import { createOutputValidator, OUTPUT_SCHEMA_MAX_CHARS } from '../src/output-validation.ts';

function judge(schema: JsonValue, value: unknown): string {
  return createOutputValidator(schema)(value).kind;
}

/** The whole judgement. */
function detail(schema: JsonValue, value: unknown): unknown {
  return createOutputValidator(schema)(value);
}

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

describe('createOutputValidator', () => {
  it('enforces 2020-12 words where no dialect is named (B14)', () => {
    const schema = { type: 'array', prefixItems: [{ type: 'string' }] };
    expect(judge(schema, [5])).toBe('invalid');
    expect(judge({ ...schema, $schema: DRAFT_2020 }, [5])).toBe('invalid');
    expect(judge(schema, ['a'])).toBe('valid');
  });

  it('takes decimal numbers for multiples of a decimal step (S37, B14)', () => {
    const schema = { type: 'object', properties: { price: { type: 'number', multipleOf: 0.01 } } };
    for (const price of [0.07, 0.29, 1.15, 4.35, 8.2, 19.99]) expect([price, judge(schema, { price })]).toEqual([price, 'valid']);
    for (const price of [1.155, 0.001, 19.999]) expect([price, judge(schema, { price })]).toEqual([price, 'invalid']);
    expect(judge({ multipleOf: 3 }, 10)).toBe('invalid');
  });

  it("follows the schema's own dialect (B14)", () => {
    expect(judge({ $schema: DRAFT_07, items: [{ type: 'string' }] }, [5])).toBe('invalid');
    expect(judge({ $schema: DRAFT_07, prefixItems: [{ type: 'string' }] }, [5])).toBe('valid');
    expect(judge({ $schema: 'https://json-schema.org/draft/2019-09/schema', dependentRequired: { a: ['b'] } }, { a: 1 })).toBe('invalid');
  });

  it('passes over what stands beside a reference in draft-07, and in no later dialect (B14)', () => {
    const schema = { properties: { a: { items: { $ref: '#/definitions/n', minimum: 5 } } }, definitions: { n: { type: 'number' } } };
    expect(judge({ $schema: DRAFT_07, ...schema }, { a: [1] })).toBe('valid');
    expect(judge({ $schema: DRAFT_07, ...schema }, { a: ['x'] })).toBe('invalid');
    expect(judge({ $schema: DRAFT_2020, ...schema }, { a: [1] })).toBe('invalid');
    const root = { $schema: DRAFT_07, $ref: '#/definitions/n', required: ['a'], definitions: { n: { type: 'object' } } };
    expect([judge(root, {}), judge(root, 1)]).toEqual(['valid', 'invalid']);
    const named = { $schema: DRAFT_07, properties: { $ref: { type: 'string' }, b: { type: 'string' } } };
    expect(judge(named, { b: 1 })).toBe('invalid');
  });

  it("does not know OpenAPI's nullable, but a property of that name (B14)", () => {
    expect(judge({ type: 'string', nullable: true }, null)).toBe('invalid');
    expect(judge({ anyOf: [{ properties: { a: { type: 'string', nullable: true } } }] }, { a: null })).toBe('invalid');
    expect(judge({ properties: { nullable: { type: 'string' } } }, { nullable: 5 })).toBe('invalid');
    expect(judge({ const: { nullable: true } }, { nullable: true })).toBe('valid');
    expect(judge({ const: { a: { nullable: true } } }, { a: { nullable: true } })).toBe('valid');
  });

  it.each<readonly [string, JsonValue]>([
    ['a property that cannot be judged', { properties: { b: { properties: Object.fromEntries([['__proto__', { type: 'string' }]]) } } }],
    ['a reference to nowhere', { $ref: '#/$defs/none' }],
    ['a reference to another document', { $ref: 'https://example.com/schema.json' }],
    ['an unknown dialect', { $schema: 'https://example.com/dialect', type: 'object' }],
    ['a dialect that is no text', { $schema: 4 }],
    ['a dialect with a scheme in its middle', { $schema: 'json-schema.org/https://draft-07/schema' }],
    ['a dialect with a # in its middle', { $schema: 'https://json-schema.org/draft#-07/schema' }],
    ['a type that does not exist', { type: 'strin' }],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }],
    ['a keyword of the wrong kind', { required: 'a' }],
    ['an asynchronous schema', { $async: true, type: 'object' }],
    ['no schema at all', 'text'],
    ['null', null],
    ['too much of it', { description: 'x'.repeat(OUTPUT_SCHEMA_MAX_CHARS) }],
  ])('does not judge by %s', (_what, schema) => {
    expect(judge(schema, { a: 'x' })).toBe('unsupported');
    expect(judge(schema, 5)).toBe('unsupported');
  });

  it.each<readonly [string, JsonValue]>([
    [`it is longer than ${OUTPUT_SCHEMA_MAX_CHARS} characters`, { description: 'x'.repeat(OUTPUT_SCHEMA_MAX_CHARS) }],
    ['$async is no JSON Schema keyword', { $async: true }],
    ['it is neither an object nor a boolean', []],
    ['its $schema names a dialect that is not supported (2020-12, 2019-09 and draft-07 are)', { $schema: 4 }],
    ['it describes a property "__proto__", which cannot be judged', { properties: Object.fromEntries([['__proto__', {}]]) }],
  ])('says why it does not judge: %s', (why, schema) => {
    expect(detail(schema, {})).toEqual({ kind: 'unsupported', detail: why });
  });

  it('judges by a schema exactly as long as the bound', () => {
    const around = JSON.stringify({ description: '', type: 'string' }).length;
    expect(judge({ description: 'x'.repeat(OUTPUT_SCHEMA_MAX_CHARS - around), type: 'string' }, 5)).toBe('invalid');
  });

  it('minds a schema that is merely called __proto__ as little as any other (B15)', () => {
    expect(judge({ $defs: Object.fromEntries([['__proto__', { type: 'string' }]]), type: 'string' }, 5)).toBe('invalid');
  });

  it.each([DRAFT_07, DRAFT_2020])('knows the schemas true and false wherever a schema may stand, in %s', ($schema) => {
    const schema = { $schema, properties: { a: true, b: false }, additionalProperties: false, allOf: [true, { properties: { a: { nullable: true, type: 'number' } } }] };
    expect([{ a: 1 }, { a: null }, { b: 1 }, { c: 1 }].map((value) => judge(schema, value))).toEqual(['valid', 'invalid', 'invalid', 'invalid']);
  });

  it('keeps two schemas with one $id apart', () => {
    const text = createOutputValidator({ $id: 'https://example.com/same', type: 'string' });
    const number = createOutputValidator({ $id: 'https://example.com/same', type: 'number' });
    expect([text('a').kind, text(1).kind, number('a').kind, number(1).kind]).toEqual(['valid', 'invalid', 'invalid', 'valid']);
  });

  it('knows own properties only (B15)', () => {
    expect(judge({ required: ['constructor'] }, {})).toBe('invalid');
    expect(judge({ required: ['__proto__'] }, JSON.parse('{"__proto__":1}'))).toBe('valid');
  });

  it('gives up on a pattern that would never end, and says that it did not judge (B01)', () => {
    const validate = createOutputValidator({ properties: { a: { type: 'string', pattern: '^(a+)+$' } } });
    expect(validate({ a: 'aaa' }).kind).toBe('valid');
    expect(validate({ a: `${'a'.repeat(60)}!` }).kind).toBe('unsupported');
  });

  it('says where the first fault is and what is wrong there, bounded and without the value (S46)', () => {
    expect(detail({ properties: { a: { items: { type: 'string' } } } }, { a: ['x', 7] })).toEqual({ kind: 'invalid', detail: '/a/1 must be string' });
    expect(detail({ type: 'object' }, 'canary')).toEqual({ kind: 'invalid', detail: 'the whole value must be object' });
    const key = 'k'.repeat(5_000);
    expect(detail({ properties: { [key]: { type: 'string' } } }, { [key]: 7 })).toEqual({ kind: 'invalid', detail: `/${'k'.repeat(199)}… must be string` });
    const fitting = 'k'.repeat(199);
    expect(detail({ properties: { [fitting]: { type: 'string' } } }, { [fitting]: 7 })).toEqual({ kind: 'invalid', detail: `/${fitting} must be string` });
    const { detail: words } = { detail: '', ...createOutputValidator({ required: [key] })({}) };
    expect(words).toMatch(/^the whole value must have required property 'k+$/);
    expect(words.length).toBeLessThan(220);
  });

  it('follows references inside the schema', () => {
    const schema = { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n' } } };
    expect([judge(schema, { a: 1 }), judge(schema, { a: 'x' })]).toEqual(['valid', 'invalid']);
    expect(judge(true, 5)).toBe('valid');
    expect(judge(false, 5)).toBe('invalid');
  });
});

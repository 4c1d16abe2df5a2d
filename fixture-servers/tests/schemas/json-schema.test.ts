import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listCases } from '../../src/case/library.ts';
import { jsonSchemaOf, jsonSchemaText, SCHEMA_NAMES } from '../../src/schemas/json-schema.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });

describe('the published schemas', () => {
  it.each(SCHEMA_NAMES)('%s is the one in the folder, made anew', (name) => {
    const published = readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8');
    expect(published).toBe(jsonSchemaText(name));
  });

  it('take every case of the library', async () => {
    const validate = ajv.compile(jsonSchemaOf('case'));
    for (const { name, path } of await listCases()) {
      validate(parse(readFileSync(path, 'utf8')));
      expect([name, validate.errors]).toEqual([name, null]);
    }
  });

  it('refuse what the checks refuse', () => {
    const validate = ajv.compile(jsonSchemaOf('scenario'));
    expect(validate({ scenario: 1, tools: [{ name: 'x' }], rules: [{ when: { method: 'm' }, do: [{ default: {} }] }] })).toBe(true);
    for (const wrong of [{}, { scenario: 2 }, { scenario: 1, tolos: [] }, { scenario: 1, tools: [{ nme: 'x' }] }, { scenario: 1, toolLists: { a: 1 } }]) {
      expect(validate(wrong)).toBe(false);
    }
  });
});

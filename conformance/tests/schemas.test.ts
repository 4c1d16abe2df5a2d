import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { jsonSchemaText, SCHEMA_NAMES } from '../src/schemas/json-schema.ts';

it.each(SCHEMA_NAMES)('the published schema "%s" is what its source gives (regenerate: node conformance/dist/schemas/generate.js)', (name) => {
  const published = readFileSync(new URL(`../schemas/${name}.schema.json`, import.meta.url), 'utf8');
  expect(published).toBe(jsonSchemaText(name));
});

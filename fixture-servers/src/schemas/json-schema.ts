import { z } from 'zod';
import { caseFile } from '../case/schema.ts';
import { fixtureMessage, controllerMessage } from '../control/protocol.ts';
import { mappingValues } from '../scenario/json.ts';
import { scenario } from '../scenario/schema.ts';
import { traceRecord } from '../trace/schema.ts';

/** The published schemas: name to what it describes, as a person writes it (defaults may be left out). */
const SCHEMAS = {
  scenario,
  case: caseFile,
  trace: traceRecord,
  'control-fixture': fixtureMessage,
  'control-controller': controllerMessage,
} as const;

/** The name of a published schema. */
export type SchemaName = keyof typeof SCHEMAS;

/** All names. */
export const SCHEMA_NAMES: readonly SchemaName[] = ['scenario', 'case', 'trace', 'control-fixture', 'control-controller'];

/** The JSON Schema (2020-12) of a language, from the same source as its type and its checks. */
export function jsonSchemaOf(name: SchemaName): Record<string, unknown> {
  return { $id: `urn:mcp-fixture-server:${name}:1`, ...convert(SCHEMAS[name]) };
}

/** The same as text, as it is published: two spaces, a line end at the end. */
export function jsonSchemaText(name: SchemaName): string {
  return `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`;
}

function convert(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // A mapping checks its values in code; here it says what they are.
      const values = zodSchema instanceof z.ZodType ? mappingValues.get(zodSchema) : undefined;
      if (values === undefined) return;
      const { $schema: _dialect, ...valueSchema } = convert(values);
      Object.assign(jsonSchema, { type: 'object', additionalProperties: valueSchema });
    },
  });
}

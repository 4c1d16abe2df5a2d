import { z } from 'zod';

/** The JSON Schema of what may be sent. */
export function convert(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

/** The same as a part of another schema. */
export function definitionOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...definition } = convert(schema);
  return definition;
}

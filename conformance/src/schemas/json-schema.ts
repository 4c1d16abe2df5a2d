import { z } from 'zod';
import {
  callReply, callRequest, gateRequest, hostChange, notification, openReply, openRequest, serverReply, serverSpec, stateReply,
  subjectDescription, toolsReply,
} from '../adapter/messages.ts';
import { savedHistory } from '../history/schema.ts';

/** Messages of the adapter contract: what is asked and what is answered, by method. */
const ADAPTER_MESSAGES = {
  'describe.reply': subjectDescription,
  'open.request': openRequest,
  'open.reply': openReply,
  'add.request': serverSpec,
  'add.reply': serverReply,
  'reload.reply': serverReply,
  'tools.reply': toolsReply,
  'state.reply': stateReply,
  'call.request': callRequest,
  'call.reply': callReply,
  'gate.request': gateRequest,
  'set-host.request': hostChange,
  notification,
} as const;

/** The name of a published schema. */
export type SchemaName = 'adapter' | 'history';

/** All names. */
export const SCHEMA_NAMES: readonly SchemaName[] = ['adapter', 'history'];

/** A JSON Schema (2020-12) from the same source as the type and the checks; `adapter` has one definition a message. */
export function jsonSchemaOf(name: SchemaName): Record<string, unknown> {
  const $id = `urn:mcp-bridge-conformance:${name}:1`;
  if (name === 'history') return { $id, ...convert(savedHistory) };
  const $defs = Object.fromEntries(
    Object.entries(ADAPTER_MESSAGES).map(([message, schema]) => {
      const { $schema: _dialect, ...definition } = convert(schema);
      return [message, definition];
    }),
  );
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', $id, title: 'MCP bridge adapter messages', $defs };
}

/** The same as text, as it is published: two spaces, a line end at the end. */
export function jsonSchemaText(name: SchemaName): string {
  return `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`;
}

function convert(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

import {
  callReply, callRequest, gateRequest, hostChange, notification, openReply, openRequest, serverReply, serverSpec, stateReply,
  subjectDescription, toolsReply,
} from '../adapter/messages.ts';
import { baselineFile } from '../baseline/schema.ts';
import { savedRun } from '../history/saved-run.ts';
import { savedHistory } from '../history/schema.ts';
import { reportFile } from '../reporters/report-schema.ts';
import { convert, definitionOf } from './convert.ts';
import { driverSchema } from './driver-schema.ts';

/** The dialect of all. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

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
export type SchemaName = 'adapter' | 'baseline' | 'driver' | 'history' | 'report' | 'run';

/** All names. */
export const SCHEMA_NAMES: readonly SchemaName[] = ['adapter', 'baseline', 'driver', 'history', 'report', 'run'];

/** Files that are read back, each a schema of its own. */
const FILES = { baseline: baselineFile, history: savedHistory, report: reportFile, run: savedRun } as const;

/** A JSON Schema (2020-12) from the same source as the types and the checks; `adapter` and `driver` have one definition a message. */
export function jsonSchemaOf(name: SchemaName): Record<string, unknown> {
  const $id = `urn:mcp-bridge-conformance:${name}:1`;
  if (name === 'driver') return { $schema: DIALECT, $id, ...driverSchema() };
  if (name !== 'adapter') return { $id, ...convert(FILES[name]) };
  const $defs = Object.fromEntries(
    Object.entries(ADAPTER_MESSAGES).map(([message, schema]) => {
      return [message, definitionOf(schema)];
    }),
  );
  return { $schema: DIALECT, $id, title: 'MCP bridge adapter messages', $defs };
}

/** The same as text, as it is published: two spaces, a line end at the end. */
export function jsonSchemaText(name: SchemaName): string {
  return `${JSON.stringify(jsonSchemaOf(name), null, 2)}\n`;
}

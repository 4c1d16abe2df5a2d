/**
 * The reference table of the driver protocol, as the README has it.
 */
import { DRIVER_METHODS, DRIVER_NOTIFICATIONS } from '../adapter/driver-protocol.ts';
import { definitionOf } from './convert.ts';
import type { z } from 'zod';

/** Where the table stands in a document. */
export const TABLE_BEGIN = '<!-- driver messages: generated, see src/schemas/generate.ts -->';
/** Where it ends. */
export const TABLE_END = '<!-- end of driver messages -->';

/** The table as Markdown, between its two marks. */
export function driverTable(): string {
  const methods = Object.entries(DRIVER_METHODS).map(([method, shape]) => {
    const optional = 'optional' in shape ? 'no' : 'yes';
    return `| \`${method}\` | ${optional} | ${membersOf(shape.params)} | ${membersOf(shape.result)} | ${shape.about} |`;
  });
  const notifications = Object.entries(DRIVER_NOTIFICATIONS).map(([method, schema]) =>
    `| \`${method}\` | ${membersOf(schema)} |`);
  return [
    TABLE_BEGIN,
    '| method | needed | params | result | what it asks for |', '|---|---|---|---|---|', ...methods, '',
    '| notification of the driver | params |', '|---|---|', ...notifications,
    TABLE_END,
  ].join('\n');
}

/** A document with its table replaced. @throws Error when it has no place for one */
export function withDriverTable(document: string): string {
  const [begin, end] = [document.indexOf(TABLE_BEGIN), document.indexOf(TABLE_END)];
  if (begin === -1 || end < begin) throw new Error(`the document has no "${TABLE_BEGIN}" followed by "${TABLE_END}"`);
  return document.slice(0, begin) + driverTable() + document.slice(end + TABLE_END.length);
}

/** Names of members; those with a question mark may be left out. */
function membersOf(schema: z.ZodType): string {
  const { properties = {}, required = [], anyOf, oneOf } = definitionOf(schema) as {
    readonly properties?: Record<string, unknown>; readonly required?: readonly string[]; readonly anyOf?: unknown; readonly oneOf?: unknown;
  };
  if (anyOf !== undefined || oneOf !== undefined) return 'see the schema';
  const names = Object.keys(properties).map((name) => `${name}${required.includes(name) ? '' : '?'}`);
  return names.length === 0 ? '`{}`' : `\`{ ${names.join(', ')} }\``;
}

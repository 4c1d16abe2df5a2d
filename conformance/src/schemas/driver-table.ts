/**
 * The reference table of the driver protocol, as the README has it.
 */
import type { z } from 'zod';
import { DRIVER_METHODS, DRIVER_NOTIFICATIONS } from '../adapter/driver-protocol.ts';
import { HOST_EVENT_DETAILS } from '../adapter/host-events.ts';
import { memberTexts, shapeOf } from './shape-text.ts';

/** Where the table stands in a document. */
export const TABLE_BEGIN = '<!-- driver messages: generated, see src/schemas/generate.ts -->';
/** Where it ends. */
export const TABLE_END = '<!-- end of driver messages -->';

/** The table as Markdown, between its two marks. */
export function driverTable(): string {
  const methods = Object.entries(DRIVER_METHODS).map(([method, shape]) => {
    const needed = 'optional' in shape ? 'no' : 'yes';
    return `| \`${method}\` | ${needed} | \`${shapeOf(shape.params)}\` | \`${shapeOf(shape.result)}\` | ${shape.about} |`;
  });
  const notifications = Object.entries(DRIVER_NOTIFICATIONS).map(([method, schema]) => `| \`${method}\` | \`${shapeOf(schema)}\` |`);
  const events = Object.entries(HOST_EVENT_DETAILS).map(([event, { detail, about }]) => `| \`${event}\` | \`${shapeOf(detail)}\` | ${about} |`);
  return [
    TABLE_BEGIN,
    '| method | needed | params | result | what it asks for |', '|---|---|---|---|---|', ...methods, '',
    '| notification of the driver | params |', '|---|---|', ...notifications, '',
    '| `event` of a `host-event` | `detail` | told |', '|---|---|---|', ...events, '',
    '| member | may be | means |', '|---|---|---|', ...memberRows(),
    TABLE_END,
  ].join('\n');
}

/** Each member once, by the first message that has it. */
function memberRows(): string[] {
  const rows = new Set<string>();
  const add = (message: string, schema: z.ZodType): void => {
    for (const { path, due, about } of memberTexts(schema)) {
      const known = [...rows].some((row) => row.includes(`\`${path}\``) && row.endsWith(`| ${due} | ${about} |`));
      if (!known) rows.add(`| ${message} \`${path}\` | ${due} | ${about} |`);
    }
  };
  for (const [method, { params, result }] of Object.entries(DRIVER_METHODS)) {
    add(method, params);
    add(method, result);
  }
  for (const [method, schema] of Object.entries(DRIVER_NOTIFICATIONS)) add(method, schema);
  return [...rows];
}

/** A document with its table replaced. @throws Error when it has no place for one */
export function withDriverTable(document: string): string {
  const [begin, end] = [document.indexOf(TABLE_BEGIN), document.indexOf(TABLE_END)];
  if (begin === -1 || end < begin) throw new Error(`the document has no "${TABLE_BEGIN}" followed by "${TABLE_END}"`);
  return document.slice(0, begin) + driverTable() + document.slice(end + TABLE_END.length);
}

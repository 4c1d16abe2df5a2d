/** Text of event streams (WHATWG HTML, server-sent events). */
import type { FrameOptions } from '../../scenario/schema.ts';
import { frameBody } from '../frame-bytes.ts';

/** What an event carries beside its message. */
export interface EventFields {
  readonly id?: string | undefined;
  readonly retryMs?: number | undefined;
}

/** One event with a message. `crlf` ends its lines with CR LF, `bom` puts a mark before it; both are legal at the start of a stream. */
export function eventText(text: string, frame: FrameOptions | undefined, fields: EventFields): string {
  const end = frame?.crlf === true ? '\r\n' : '\n';
  const mark = frame?.bom === true ? '\uFEFF' : '';
  return `${mark}${fieldLines(fields, end)}event: message${end}data: ${frameBody(text, frame)}${end}${end}`;
}

/** The empty event with an id, by which a client may resume before any message came (spec 2025-11-25, transports). */
export function primingText(fields: EventFields): string {
  return `${fieldLines(fields, '\n')}data: \n\n`;
}

function fieldLines({ id, retryMs }: EventFields, end: string): string {
  return `${id === undefined ? '' : `id: ${id}${end}`}${retryMs === undefined ? '' : `retry: ${retryMs}${end}`}`;
}

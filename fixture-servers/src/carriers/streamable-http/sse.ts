/** Text of event streams (WHATWG HTML, server-sent events). */
import type { FrameOptions } from '../../scenario/schema.ts';
import { frameBody } from '../frame-bytes.ts';

/** What an event carries beside its message. */
export interface EventFields {
  readonly id?: string | undefined;
  readonly retryMs?: number | undefined;
}

/** One event with a message, in any of the ways that mean the same. `bom` is legal at the start of a stream only. */
export function eventText(text: string, frame: FrameOptions | undefined, fields: EventFields): string {
  const end = frame?.crlf === true ? '\r\n' : '\n';
  const { comments = false, lines = false, spaceless = false, unnamed = false } = frame?.event ?? {};
  const colon = spaceless ? ':' : ': ';
  const comment = comments ? `: keep-alive${end}` : '';
  const body = frameBody(text, frame);
  const data = (lines ? overLines(body) : [body]).map((line) => `data${colon}${line}${end}`).join(comment);
  const name = unnamed ? '' : `event${colon}message${end}`;
  return `${frame?.bom === true ? '\uFEFF' : ''}${comments ? `${comment}${end}` : ''}${fieldLines(fields, end, colon)}${name}${comment}${data}${end}`;
}

/** JSON cut after the commas between its values, where an end of line means nothing. */
function overLines(json: string): string[] {
  const lines: string[] = [];
  let from = 0;
  for (const { index, 0: token } of json.matchAll(/"(?:[^"\\]|\\.)*"|,/gs)) {
    if (token !== ',') continue;
    lines.push(json.slice(from, index + 1));
    from = index + 1;
  }
  return [...lines, json.slice(from)];
}

/** The empty event with an id, by which a client may resume before any message came (spec 2025-11-25, transports). */
export function primingText(fields: EventFields): string {
  return `${fieldLines(fields, '\n', ': ')}data: \n\n`;
}

function fieldLines({ id, retryMs }: EventFields, end: string, colon: string): string {
  return `${id === undefined ? '' : `id${colon}${id}${end}`}${retryMs === undefined ? '' : `retry${colon}${retryMs}${end}`}`;
}

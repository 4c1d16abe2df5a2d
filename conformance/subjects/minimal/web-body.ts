/** Bodies of responses, within a bound: whole, or event by event. */
import { MAX_LINE_BYTES } from './lines.ts';

type Body = AsyncIterable<Uint8Array>;

/** Reads it whole. @throws RangeError when it is longer than {@link MAX_LINE_BYTES} */
export async function readWhole(body: Body): Promise<string> {
  const parts: Uint8Array[] = [];
  let held = 0;
  for await (const part of body) {
    held += part.length;
    if (held > MAX_LINE_BYTES) throw new RangeError(`an answer has more than ${MAX_LINE_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** What is known at the end of a stream. */
export interface StreamEnd {
  /** The id that was last given to an event. */
  readonly lastId: string | undefined;
  /** The pause, in milliseconds, that the server last asked for. */
  readonly retryMs: number | undefined;
}

/**
 * Tells the data of each event of a stream; resolves at its end.
 * @throws RangeError when one is longer than {@link MAX_LINE_BYTES} characters
 */
export async function readEvents(body: Body, told: (data: string) => void): Promise<StreamEnd> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  let held = 0;
  let retryMs: number | undefined;
  let lastId: string | undefined;
  for await (const part of body) {
    rest += decoder.decode(part, { stream: true });
    // A carriage return at the end may be the first half of the end of a line.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + rest.slice(end);
    for (const line of lines) {
      if (line !== '') {
        const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
        if (field === 'data') data.push(value);
        if (field === 'id') lastId = value;
        if (field === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value);
        held += line.length;
        continue;
      }
      if (data.length > 0) told(data.join('\n'));
      data = [];
      held = 0;
    }
    if (held + rest.length > MAX_LINE_BYTES) throw new RangeError(`an event has more than ${MAX_LINE_BYTES} characters`);
  }
  return { lastId, retryMs };
}

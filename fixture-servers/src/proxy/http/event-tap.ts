import { StringDecoder } from 'node:string_decoder';

/** An event of a stream that went by. */
export interface TappedEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Watches an event stream go by. Makes no change and holds nothing up. */
export interface EventTap {
  look(chunk: Buffer): TappedEvent[];
}

/** Makes a tap (WHATWG HTML, server-sent events) that keeps at most `maxChars` of one event. */
export function createEventTap(maxChars: number): EventTap {
  const decoder = new StringDecoder('utf8');
  let line = '';
  let data: string[] = [];
  let kept = 0;
  let id: string | undefined;
  let touched = false;
  let afterCr = false;
  let first = true;

  const field = (text: string): void => {
    const colon = text.indexOf(':');
    const name = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') {
      touched = true;
      kept += value.length;
      data.push(value);
    } else if (name === 'id') {
      touched = true;
      id = value;
    }
  };
  const endLine = (): TappedEvent | undefined => {
    const text = first ? line.replace(/^\uFEFF/, '') : line;
    first = false;
    line = '';
    if (text !== '') {
      field(text);
      return undefined;
    }
    if (!touched) return undefined;
    const event = { id, data: data.join('\n') };
    data = [];
    kept = 0;
    id = undefined;
    touched = false;
    return event;
  };
  return {
    look(chunk) {
      const events: TappedEvent[] = [];
      const text = decoder.write(chunk);
      let from = 0;
      for (const match of text.matchAll(/[\r\n]/g)) {
        const at = match.index;
        // CR LF is one line end, also in two chunks.
        const isSecondHalf = text[at] === '\n' && afterCr && at === from;
        if (!isSecondHalf) {
          append(text.slice(from, at));
          const event = endLine();
          if (event !== undefined) events.push(event);
        }
        from = at + 1;
        afterCr = text[at] === '\r';
      }
      if (from < text.length) {
        append(text.slice(from));
        afterCr = false;
      }
      return events;
    },
  };

  function append(text: string): void {
    const room = maxChars - line.length - kept;
    if (room > 0) line += text.slice(0, room);
  }
}

/**
 * Framing of MCP over stdio: messages end at LF (0x0A) and nowhere else (B25, R36). Works on bytes, so that a character
 * of several bytes may arrive in pieces (R35).
 */

const LF = 0x0a;
const CR = 0x0d;

/** The longest line the splitter keeps, in bytes: what a client sends to a tool server is far below this. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** A line as it came. */
export interface Line {
  /** Its text, without the LF and without one CR before it. Bytes that are no UTF-8 become U+FFFD. */
  readonly text: string;
  /** Its length on the wire, line end included. */
  readonly bytes: number;
}

/** Cuts a stream of chunks into lines. */
export interface LineSplitter {
  /** Takes the next chunk and returns the lines it completes. @throws RangeError when a line passes the limit. */
  push(chunk: Uint8Array): Line[];
  /** The bytes after the last LF, if any: what is left when the input ends in the middle of a line. */
  rest(): Line | undefined;
}

/** Makes a splitter. `maxLineBytes` bounds what is kept of an unfinished line; default {@link MAX_LINE_BYTES}. */
export function createLineSplitter(maxLineBytes: number = MAX_LINE_BYTES): LineSplitter {
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  const take = (last: Buffer): Buffer => {
    if (pending.length === 0) return last;
    const whole = Buffer.concat([...pending, last], pendingBytes + last.length);
    pending = [];
    pendingBytes = 0;
    return whole;
  };

  return {
    push(chunk) {
      const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const lines: Line[] = [];
      let from = 0;
      for (let at = buffer.indexOf(LF); at !== -1; at = buffer.indexOf(LF, from)) {
        const bytes = take(buffer.subarray(from, at));
        lines.push(toLine(bytes, bytes.length + 1));
        from = at + 1;
      }
      if (from < buffer.length) {
        pending.push(buffer.subarray(from));
        pendingBytes += buffer.length - from;
        if (pendingBytes > maxLineBytes) {
          pending = [];
          pendingBytes = 0;
          throw new RangeError(`a line passed the limit of ${maxLineBytes} bytes without a line end`);
        }
      }
      return lines;
    },
    rest() {
      if (pendingBytes === 0) return undefined;
      const bytes = take(Buffer.alloc(0));
      return toLine(bytes, bytes.length);
    },
  };
}

function toLine(bytes: Buffer, onWire: number): Line {
  const end = bytes.length > 0 && bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length;
  return { text: bytes.toString('utf8', 0, end), bytes: onWire };
}

/**
 * Wrong ways to read the bytes of a server's stdout.
 */
import { Transform } from 'node:stream';

const LINE_END = 0x0a;

/** Takes U+2028 and U+2029 for ends of line. */
export function separatorsAsLineEnds(): Transform {
  return filter((chunk) => Buffer.from(chunk.toString('latin1').replace(/\u00e2\u0080[\u00a8\u00a9]/g, '\n'), 'latin1'));
}

/** Bytes of one piece below; a byte order mark at the start stays whole. */
const PIECE_BYTES = 7;

/** Decodes pieces on their own, so that a character between two of them breaks. */
export function decodedInPieces(): Transform {
  return filter((chunk) => {
    const pieces: string[] = [];
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) pieces.push(chunk.toString('utf8', at, at + PIECE_BYTES));
    return Buffer.from(pieces.join(''), 'utf8');
  });
}

/** Keeps a byte order mark at the start of the stream, as something no JSON begins with. */
export function startOfStreamKept(): Transform {
  let atStart = true;
  return filter((chunk) => {
    const marked = atStart && chunk[0] === 0xef;
    atStart = false;
    return marked ? Buffer.concat([Buffer.from('?'), chunk]) : chunk;
  });
}

/** Reads nothing more once a line was no JSON object. */
export function deadAfterNoise(): Transform {
  let dead = false;
  return byLine((line) => {
    dead ||= !isMessage(line);
    return !dead;
  });
}

/** Passes over what is no message as if nothing had been there. */
export function deafToNoise(): Transform {
  return byLine(isMessage);
}

/** Whole lines, those that are passed on. */
function byLine(passes: (line: string) => boolean): Transform {
  let rest = Buffer.alloc(0);
  return filter((chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const passed: Buffer[] = [];
    for (let end = rest.indexOf(LINE_END); end !== -1; end = rest.indexOf(LINE_END)) {
      const line = rest.subarray(0, end + 1);
      rest = rest.subarray(end + 1);
      if (passes(line.toString('utf8').replace(/^\ufeff/, ''))) passed.push(line);
    }
    return Buffer.concat(passed);
  });
}

function isMessage(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'jsonrpc' in value;
  } catch {
    return false;
  }
}

function filter(change: (chunk: Buffer) => Buffer): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, change(chunk));
    },
  });
}

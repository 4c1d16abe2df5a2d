/**
 * Finds the first byte of a stream of lines that is no UTF-8. Decoding would make U+FFFD of it, and a wrong name or text
 * would be taken for the bridge's.
 */
import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
/** The most bytes of a character, less one: what may be missing at the end of a chunk. */
const MAX_UNFINISHED = 3;

/** Where a stream is no UTF-8. */
export interface BadByte {
  /** How much of the chunk are lines before that one, in bytes. */
  readonly before: number;
  /** Its place in its line, counted from 1. */
  readonly byte: number;
  readonly value: number;
}

/** See the module's comment. */
export class Utf8Watch {
  /** The begin of a character whose end is still to come. */
  #unfinished = Buffer.alloc(0);
  /** Bytes of the line under way, those of `#unfinished` left out. */
  #inLine = 0;

  /** Takes the next chunk. @returns the first byte that is wrong; nothing more may be pushed then. */
  push(chunk: Buffer): BadByte | undefined {
    const all = this.#unfinished.length === 0 ? chunk : Buffer.concat([this.#unfinished, chunk]);
    const end = all.length - unfinishedAtEnd(all);
    const whole = all.subarray(0, end);
    if (!isUtf8(whole)) {
      const at = firstBad(whole);
      const lineFrom = whole.lastIndexOf(LF, at) + 1;
      const byte = at - lineFrom + 1 + (lineFrom === 0 ? this.#inLine : 0);
      return { before: Math.max(0, lineFrom - this.#unfinished.length), byte, value: whole[at] ?? 0 };
    }
    const lineEnd = whole.lastIndexOf(LF);
    this.#inLine = lineEnd === -1 ? this.#inLine + whole.length : whole.length - lineEnd - 1;
    this.#unfinished = Buffer.from(all.subarray(end));
    return undefined;
  }
}

/** How many bytes at the end begin a character that is not whole yet. */
function unfinishedAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= MAX_UNFINISHED && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) !== 0x80) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

/** Bytes of a character by its first one; 1 for what begins none. */
function lengthOf(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 1;
}

/** The first byte of the first character that is none, of bytes that are no UTF-8. */
function firstBad(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const length = lengthOf(bytes[at] ?? 0);
    if (!isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return at;
}

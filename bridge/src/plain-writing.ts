/**
 * One way of writing for everything in which two writings of the same base64 differ: escaped slashes, the other alphabet,
 * line breaks (S46).
 * @module
 */
import type { Range } from './text-ranges.ts';

const SLASH = 0x2f;
const PLUS = 0x2b;
const EQUALS = 0x3d;

/** At most three backslashes: JSON in JSON in JSON. */
const MAX_BACKSLASHES = 3;

/** What an escape by number stands for. */
const NUMBERED: ReadonlyMap<string, number> = new Map([['u002b', PLUS], ['u002f', SLASH], ['u003d', EQUALS]]);

/** Called with what stands in the plain writing, and with where it stands in the text: from, and to exclusive. */
type Visit = (code: number, from: number, to: number) => void;

/** The text in the way of writing by which payloads are compared; the very same string where it is written so already. */
export function plainWriting(text: string): string {
  if (!/[\\\r\n_-]/.test(text)) return text;
  const plain = new Uint16Array(text.length);
  let length = 0;
  walk(text, (code) => {
    plain[length] = code;
    length += 1;
  });
  return Buffer.from(plain.buffer, 0, length * plain.BYTES_PER_ELEMENT).toString('utf16le');
}

/**
 * Where parts of the plain writing stand in the text itself.
 * @param ranges in order, apart from each other
 */
export function originalRanges(text: string, ranges: readonly Range[]): readonly Range[] {
  const found: Range[] = [];
  let plainAt = 0;
  let begun = 0;
  walk(text, (_code, from, to) => {
    const range = ranges[found.length];
    if (range?.[0] === plainAt) begun = from;
    plainAt += 1;
    if (range?.[1] === plainAt) found.push([begun, to]);
  });
  return found;
}

/** Visits each character of the plain writing, in order. */
function walk(text: string, visit: Visit): void {
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    switch (code) {
      case 0x2d: // -
        visit(PLUS, at, ++at);
        break;
      case 0x5f: // _
        visit(SLASH, at, ++at);
        break;
      case 0x0a:
      case 0x0d:
        at = blankEnd(text, at + 1);
        break;
      case 0x5c: // backslash
        at = walkEscape(text, at, visit);
        break;
      default:
        visit(code, at, ++at);
    }
  }
}

/** The end of the blanks with which a line begins. */
function blankEnd(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

/** Visits the escape that begins here, or the backslash alone if it begins none; returns where to go on. */
function walkEscape(text: string, at: number, visit: Visit): number {
  let to = at;
  while (to < at + MAX_BACKSLASHES && text[to] === '\\') to += 1;
  const letter = text[to];
  if (letter === 'n' || letter === 'r') return blankEnd(text, to + 1);
  const code = letter === '/' ? SLASH : letter === 'u' ? NUMBERED.get(text.slice(to, to + 5).toLowerCase()) : undefined;
  const end = code === undefined ? at + 1 : letter === '/' ? to + 1 : to + 5;
  visit(code ?? text.charCodeAt(at), at, end);
  return end;
}

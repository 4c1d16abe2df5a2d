/**
 * Finds what looks like base64, in either alphabet, slashes escaped or not (S46). By hand and not by a regular expression:
 * a peer chooses the text, and the engine's stack does not hold a group that repeats ten million times. Costs a few looks
 * at each character, whatever the text.
 * @module
 */
import { cutOut, type Range } from './text-ranges.ts';

const SLASH = 0x2f;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;

/** Encoders wrap at 60, 64 or 76 characters; no line of words is so long without a space. */
const LINE_MIN_CHARS = 60;

/** Fewer wrapped lines may be anything, such as two long names. */
const LINES_MIN = 3;

/** 1 for each code unit that base64 is made of. */
const ENCODED = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') ENCODED[char.charCodeAt(0)] = 1;

/** The text with `mark` in place of each run of at least `minChars` characters, and of runs that are wrapped into lines. */
export function withoutEncodedRuns(text: string, minChars: number, mark: string): string {
  const found: Range[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const run = runFrom(text, at);
    if (run === 0) continue;
    const linesEnd = linesFrom(text, at);
    const end = linesEnd === at ? at + run : linesEnd;
    const isLong = linesEnd !== at || charsIn(text, at, end) >= minChars;
    const to = isLong ? paddedEnd(text, end) : end;
    if (isLong) found.push([at, to]);
    at = to;
  }
  return cutOut(text, found, mark);
}

/** How many code units the run takes that begins here. */
function runFrom(text: string, from: number): number {
  let at = from;
  for (let width = widthAt(text, at); width !== 0; width = widthAt(text, at)) at += width;
  return at - from;
}

/** Code units of the encoded character here: 0 when there is none, 2 for an escaped slash. */
function widthAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) return text.charCodeAt(at + 1) === SLASH ? 2 : 0;
  return code < 128 ? Number(ENCODED[code]) : 0;
}

/** Encoded characters in a run: an escaped slash is one. */
function charsIn(text: string, from: number, to: number): number {
  let chars = 0;
  for (let at = from; at < to; at += widthAt(text, at)) chars += 1;
  return chars;
}

/** The end of the wrapped lines that begin here, or `from` when there are too few to be a payload. */
function linesFrom(text: string, from: number): number {
  let at = from;
  for (let lines = 0; ; lines += 1) {
    const end = at + runFrom(text, at);
    const next = nextLine(text, end);
    if (next === end || charsIn(text, at, end) < LINE_MIN_CHARS) return lines >= LINES_MIN ? end : from;
    at = next;
  }
}

/** Where the next line begins if a line ends here, else `at`. */
function nextLine(text: string, at: number): number {
  const lf = text.charCodeAt(at) === CR ? at + 1 : at;
  return text.charCodeAt(lf) === LF ? lf + 1 : at;
}

/** The end of a run with its padding. */
function paddedEnd(text: string, end: number): number {
  let to = end;
  while (to < end + 2 && text.charCodeAt(to) === EQUALS) to += 1;
  return to;
}

/** Text for a terminal: a trace may be a stranger's, and must not move the cursor or paint the screen. */

/** What a terminal might obey: controls, marks of direction, and halves of characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with everything a terminal might obey written out. At most `maxChars` of it are looked at. */
export function printable(text: string, maxChars = 4096): string {
  return text.slice(0, maxChars).replace(UNSAFE, (char) => NAMED[char] ?? `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** How many columns the text takes; East Asian and pictographic characters take two. */
export function cells(text: string): number {
  let width = 0;
  for (const char of text) width += cellsOf(char);
  return width;
}

function cellsOf(char: string): number {
  if (/\p{M}/u.test(char)) return 0;
  const point = char.codePointAt(0) ?? 0;
  const isWide = (point >= 0x1100 && point <= 0x115f) || (point >= 0x2e80 && point <= 0xa4cf) || (point >= 0xac00 && point <= 0xd7a3) ||
    (point >= 0xf900 && point <= 0xfaff) || (point >= 0xfe30 && point <= 0xfe6f) || (point >= 0xff00 && point <= 0xff60) || point >= 0x1f300;
  return isWide ? 2 : 1;
}

/** The text cut to so many columns, with an ellipsis if anything was cut. */
export function fit(text: string, columns: number): string {
  if (cells(text) <= columns) return text;
  let out = '';
  let width = 0;
  for (const char of text) {
    width += cellsOf(char);
    if (width > columns - 1) break;
    out += char;
  }
  return columns > 0 ? `${out}…` : '';
}

/** The text filled with `filler` (one column) to so many columns. */
export function pad(text: string, columns: number, filler = ' '): string {
  return text + filler.repeat(Math.max(0, columns - cells(text)));
}

/** A duration as people read it. */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  if (ms < 100_000) return `${(ms / 1000).toFixed(2)} s`;
  return `${(ms / 1000).toFixed(0)} s`;
}

/** A size as people read it. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The beginning of a value's JSON; a value nested beyond the stack has none. */
export function shortJson(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? 'undefined').slice(0, 300);
  } catch {
    return '(nested too deeply)';
  }
}

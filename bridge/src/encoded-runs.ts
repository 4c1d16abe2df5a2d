/**
 * Finds payloads that stand in a text in another way of writing than they came in (S46): with escaped slashes, in the
 * other alphabet of base64, wrapped into lines, with or without padding.
 * @module
 */

/**
 * Everything in which two ways of writing the same base64 differ. At most three backslashes: JSON in JSON in JSON.
 * Nothing in it is unbounded: the engine's stack holds no loop of tens of millions of characters.
 */
const WRITING = /(?:\\{1,3}[nr]|[\r\n]{1,64})[ \t]{0,64}|\\{1,3}(?:\/|u002[bBfF]|u003[dD])|[-_]/g;

/** The text in one way of writing, by which payloads are compared. */
function plainWriting(text: string): string {
  return text.replace(WRITING, plainMark);
}

function plainMark(mark: string): string {
  switch (mark.at(-1)) {
    case '/':
    case '_':
    case 'f':
    case 'F':
      return '/';
    case '-':
    case 'b':
    case 'B':
      return '+';
    case 'd':
    case 'D':
      return '=';
    default:
      return '';
  }
}

/** From and to, the latter exclusive. */
type Range = readonly [from: number, to: number];

/** The text with `mark` in place of each of the payloads that is at least `minChars` long. Costs a few passes over the text. */
export function withoutReencoded(text: string, payloads: Iterable<string>, minChars: number, mark: string): string {
  const plain = plainWriting(text);
  const found: Range[] = [];
  for (const payload of payloads) {
    const wanted = plainWriting(payload).replace(/={1,2}$/, '');
    if (wanted.length < minChars) continue;
    for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + wanted.length)) {
      let to = at + wanted.length;
      while (plain[to] === '=' && to < at + wanted.length + 2) to += 1;
      found.push([at, to]);
    }
  }
  return found.length === 0 ? text : cutOut(text, originalRanges(text, plain.length, found), mark);
}

/** The same ranges in the text as it is written. */
function originalRanges(text: string, plainLength: number, ranges: readonly Range[]): readonly Range[] {
  const starts = new Uint32Array(plainLength);
  const ends = new Uint32Array(plainLength);
  let at = 0;
  const put = (from: number, to: number): void => {
    starts[at] = from;
    ends[at] = to;
    at += 1;
  };
  let done = 0;
  for (const match of text.matchAll(WRITING)) {
    for (; done < match.index; done += 1) put(done, done + 1);
    done += match[0].length;
    if (plainMark(match[0]) !== '') put(match.index, done);
  }
  for (; done < text.length; done += 1) put(done, done + 1);
  return ranges.map(([from, to]) => [Number(starts[from]), Number(ends[to - 1])]);
}

function cutOut(text: string, ranges: readonly Range[], mark: string): string {
  let shown = '';
  let done = 0;
  for (const [from, to] of ranges.toSorted((left, right) => left[0] - right[0])) {
    // Payloads may overlap; what they cover together is cut out once.
    if (from >= done) shown += `${text.slice(done, from)}${mark}`;
    done = Math.max(done, to);
  }
  return shown + text.slice(done);
}

/**
 * Parts of a text, and the text without them.
 * @module
 */

/** From and to, the latter exclusive; UTF-16 code units. */
export type Range = readonly [from: number, to: number];

/**
 * Parts that lie in each other or lap over each other as one; parts that only touch stay apart.
 * @param ranges in the order of their beginnings
 */
export function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: [from: number, to: number][] = [];
  let last: [from: number, to: number] | undefined;
  for (const [from, to] of ranges) {
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to);
    else merged.push((last = [from, to]));
  }
  return merged;
}

/**
 * The text with `mark` in place of each part.
 * @param ranges in order, apart from each other
 */
export function cutOut(text: string, ranges: readonly Range[], mark: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const [from, to] of ranges) {
    pieces.push(text.slice(done, from));
    done = to;
  }
  return [...pieces, text.slice(done)].join(mark);
}

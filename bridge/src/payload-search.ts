/**
 * Finds many long strings in one text, in a time that grows with the text alone (S46, B01, B19). The engine's own search
 * does not: a peer that chooses both strings can make it take hours for a few megabytes, while nothing else runs.
 * @module
 */
import type { Range } from './text-ranges.ts';

/** The first characters of a payload, by which it is looked for; shorter payloads are not. */
export const ANCHOR_CHARS = 32;

/** Comparisons allowed for each character of the text. One payload after the other needs one; common beginnings some more. */
const COMPARISONS_PER_CHAR = 8;

/** Comparisons that are always allowed: about a millisecond. */
const COMPARISONS_FREE = 1_000_000;

/** Odd, and large, so that hashes spread over all 32 bits. */
const MULTIPLIER = 0x01_00_01_93;

/** What the first character of an anchor weighs in its hash. */
const FIRST_WEIGHT = Array.from({ length: ANCHOR_CHARS - 1 }).reduce<number>((weight) => Math.imul(weight, MULTIPLIER), 1);

/** What is looked for, made ready once for any number of texts. */
export interface Needles {
  readonly byHash: ReadonlyMap<number, readonly Needle[]>;
  /** 1 for the upper half of each hash: spares nearly every look into the map. */
  readonly filter: Uint8Array;
}

/** By its identity: the same hash may stand for several. */
interface Needle {
  readonly text: string;
}

/** Makes ready what is to be looked for; what is shorter than an anchor is passed over. */
export function prepareNeedles(texts: Iterable<string>): Needles {
  const byHash = new Map<number, Needle[]>();
  const filter = new Uint8Array(0x1_00_00);
  for (const text of new Set(texts)) {
    if (text.length < ANCHOR_CHARS) continue;
    const hash = hashOfAnchor(text);
    filter[hash >>> 16] = 1;
    const same = byHash.get(hash) ?? [];
    byHash.set(hash, same);
    same.push({ text });
  }
  return { byHash, filter };
}

/**
 * Each place of each needle, in order; the same needle only where its last place is over.
 * @returns `undefined` when text and needles repeat themselves so much that the search was given up
 */
export function findNeedles(text: string, { byHash, filter }: Needles): readonly Range[] | undefined {
  const found: Range[] = [];
  if (byHash.size === 0) return found;
  const free = new Map<Needle, number>();
  let comparisons = COMPARISONS_FREE + COMPARISONS_PER_CHAR * text.length;
  let hash = hashOfAnchor(text);
  for (let at = 0; ; at += 1) {
    if (filter[hash >>> 16] === 1) {
      for (const needle of byHash.get(hash) ?? []) {
        if (at < (free.get(needle) ?? 0)) continue;
        const same = commonChars(text, at, needle.text);
        comparisons -= same + 1;
        if (comparisons < 0) return undefined;
        if (same < needle.text.length) continue;
        found.push([at, at + same]);
        free.set(needle, at + same);
      }
    }
    const next = at + ANCHOR_CHARS;
    if (next >= text.length) return found;
    hash = (Math.imul(hash - Math.imul(text.charCodeAt(at), FIRST_WEIGHT), MULTIPLIER) + text.charCodeAt(next)) | 0;
  }
}

function hashOfAnchor(text: string): number {
  let hash = 0;
  for (let at = 0; at < ANCHOR_CHARS; at += 1) hash = (Math.imul(hash, MULTIPLIER) + text.charCodeAt(at)) | 0;
  return hash;
}

/** How many characters of the needle stand here, from its beginning. */
function commonChars(text: string, at: number, needle: string): number {
  if (at + needle.length > text.length) return 0;
  let same = 0;
  while (same < needle.length && text.charCodeAt(at + same) === needle.charCodeAt(same)) same += 1;
  return same;
}

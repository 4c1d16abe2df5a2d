/**
 * Text that may be shown to a model: well-formed Unicode, bounded, with a visible marker where it was cut (B16).
 * @module
 */
import type { ContentBlock } from './host-services.ts';

/** In Node since version 20; TypeScript declares it with ES2024 only. */
interface WellFormedText {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** The same text with U+FFFD for every lone surrogate. */
export function wellFormed(text: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see WellFormedText
  const value = text as unknown as WellFormedText;
  return value.isWellFormed() ? text : value.toWellFormed();
}

/** The first `length` code units, one fewer where that would split a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** A short fact of a server inside a diagnostic: one line, bounded. */
export function shortFact(text: string, maxChars = 200): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const line = text.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g, ' ');
  return line.length > maxChars ? `${cutText(line, maxChars)}…` : line;
}

/** Says that blocks of a result were not even looked at. */
export function blocksLeftOut(count: number, shown: number): string {
  return `[cut here: ${count} more content blocks after the first ${shown} are left out]`;
}

/** Room for a marker, in characters; two numbers of up to ten digits fit. */
export const MARKER_ROOM_CHARS = 120;

/**
 * Bounds the text of a whole result. Images are kept: they are references, and few.
 * @param maxChars UTF-16 code units over all text blocks, marker included
 */
export function boundText(blocks: readonly ContentBlock[], maxChars: number): ContentBlock[] {
  let total = 0;
  for (const block of blocks) if (block.type === 'text') total += block.text.length;
  if (total <= maxChars) return blocks.map((block) => (block.type === 'text' ? { type: 'text', text: wellFormed(block.text) } : block));
  let room = Math.max(0, maxChars - MARKER_ROOM_CHARS);
  let shown = 0;
  let marked = false;
  const bounded: ContentBlock[] = [];
  for (const block of blocks) {
    if (block.type !== 'text') {
      bounded.push(block);
      continue;
    }
    if (marked) continue;
    const kept = cutText(block.text, room);
    room -= kept.length;
    shown += kept.length;
    marked = kept.length < block.text.length;
    const text = marked ? `${kept}\n[cut here: the first ${shown} of ${total} characters are shown]` : kept;
    bounded.push({ type: 'text', text: wellFormed(text) });
  }
  return bounded;
}

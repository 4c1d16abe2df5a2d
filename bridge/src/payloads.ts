/**
 * Keeps binary payloads out of what a model reads (S46).
 * @module
 */
import type { JsonValue } from './host-services.ts';
import { isJsonObject } from './json-shape.ts';

/** Shorter strings are no payload worth looking for in text: removing them could hit a text by chance. */
const PAYLOAD_MIN_CHARS = 32;

/** Above this many payloads, text is not searched for each of them but freed of every long encoded run. */
const PAYLOADS_SEARCHED = 64;

/** A run of characters as base64, in either alphabet, writes them. */
const ENCODED_RUN = /[A-Za-z0-9+/_-]{32,}={0,2}/g;

/** A run long enough to be a payload wherever it stands; longer than any common digest or token in text. */
const LONG_ENCODED_RUN = /[A-Za-z0-9+/_-]{256,}={0,2}/g;

const LEFT_OUT = '[payload left out]';

/** The `data` and `blob` strings of every block that is no text. */
export function collectPayloads(content: readonly JsonValue[]): ReadonlySet<string> {
  const payloads = new Set<string>();
  for (const block of content) {
    if (!isJsonObject(block) || block['type'] === 'text') continue;
    for (const part of [block, block['resource']]) {
      if (!isJsonObject(part)) continue;
      for (const payload of [part['data'], part['blob']]) {
        if (typeof payload === 'string' && payload.length >= PAYLOAD_MIN_CHARS) payloads.add(payload);
      }
    }
  }
  return payloads;
}

/** The text without any of the payloads, also where a server repeats one as text. */
export function withoutPayloads(text: string, payloads: ReadonlySet<string>): string {
  if (payloads.size === 0 || text.length < PAYLOAD_MIN_CHARS) return text;
  if (payloads.size > PAYLOADS_SEARCHED) return text.replace(ENCODED_RUN, LEFT_OUT);
  let clean = text;
  // Longest first: a payload may begin with another one.
  for (const payload of [...payloads].sort((left, right) => right.length - left.length)) {
    clean = clean.replaceAll(payload, LEFT_OUT);
  }
  return clean;
}

/**
 * Structured content as text, for a result that has no other: without `data` and `blob` strings and without long
 * encoded runs.
 */
export function structuredText(value: JsonValue): string {
  try {
    return JSON.stringify(value, (key, member: unknown) => {
      if (typeof member !== 'string') return member;
      if ((key === 'data' || key === 'blob') && member.length >= PAYLOAD_MIN_CHARS) return LEFT_OUT;
      return member.replace(LONG_ENCODED_RUN, LEFT_OUT);
    });
  } catch {
    return '[structured content left out: it is nested too deeply to be shown]';
  }
}

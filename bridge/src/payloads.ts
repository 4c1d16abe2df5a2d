/**
 * Keeps binary payloads out of what a model reads (S46).
 * @module
 */
import { withoutReencoded } from './encoded-runs.ts';
import type { JsonValue } from './host-services.ts';
import { isJsonObject, isRecord } from './json-shape.ts';

/** Shorter strings are no payload worth looking for in text: removing them could hit a text by chance. */
const PAYLOAD_MIN_CHARS = 32;

/** Above this many payloads, text is not searched for each of them but freed of every long encoded run. */
const PAYLOADS_SEARCHED = 64;

/**
 * A run of characters as base64, in either alphabet, writes them, slashes escaped or not. Looked for only where a run
 * begins, so that a text of many short ones costs no more than its length.
 */
const ENCODED_RUN = /(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]|\\\/){32,}={0,2}/g;

/** A run long enough to be a payload wherever it stands; longer than any common digest or token in text. */
const LONG_ENCODED_RUN = /(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]|\\\/){256,}={0,2}/g;

/** The same, wrapped at the lengths that encoders use, which no lines of words have. Looked for after the one above. */
const WRAPPED_RUN = /(?<![A-Za-z0-9+/_-])(?:(?:[A-Za-z0-9+/_-]|\\\/){60,}\r?\n){3,}(?:[A-Za-z0-9+/_-]|\\\/)*={0,2}/g;

/** Shortest `data` of a text block that counts as a payload: shorter ones may be what the text itself says. */
const TEXT_DATA_MIN_CHARS = 256;

const LEFT_OUT = '[payload left out]';

/** The `data` and `blob` strings of every block; of a text block only what is long and encoded throughout. */
export function collectPayloads(content: readonly JsonValue[]): ReadonlySet<string> {
  const payloads = new Set<string>();
  for (const block of content) {
    if (!isJsonObject(block)) continue;
    const isText = block['type'] === 'text';
    for (const part of [block, block['resource']]) {
      if (!isJsonObject(part)) continue;
      for (const payload of [part['data'], part['blob']]) {
        if (typeof payload !== 'string' || payload.length < PAYLOAD_MIN_CHARS) continue;
        if (!isText || (payload.length >= TEXT_DATA_MIN_CHARS && /^[A-Za-z0-9+/_\r\n-]+={0,2}$/.test(payload))) payloads.add(payload);
      }
    }
  }
  return payloads;
}

/** The text without any of the payloads, also where a server repeats one as text, in its own or another way of writing. */
export function withoutPayloads(text: string, payloads: ReadonlySet<string>): string {
  if (payloads.size === 0 || text.length < PAYLOAD_MIN_CHARS) return text;
  if (payloads.size > PAYLOADS_SEARCHED) return text.replace(ENCODED_RUN, LEFT_OUT);
  let clean = text;
  // Longest first: a payload may begin with another one.
  for (const payload of [...payloads].sort((left, right) => right.length - left.length)) {
    clean = clean.replaceAll(payload, LEFT_OUT);
  }
  return withoutReencoded(clean, payloads, PAYLOAD_MIN_CHARS, LEFT_OUT);
}

/**
 * Structured content as text, for a result that has no other: without `data` and `blob` strings and without long
 * encoded runs, in keys too.
 */
export function structuredText(value: JsonValue): string {
  try {
    return JSON.stringify(value, (key, member: unknown) => {
      if (typeof member !== 'string') return isRecord(member) ? withCleanKeys(member) : member;
      if ((key === 'data' || key === 'blob') && member.length >= PAYLOAD_MIN_CHARS) return LEFT_OUT;
      return withoutLongRuns(member);
    });
  } catch {
    return '[structured content left out: it is nested too deeply to be shown]';
  }
}

function withoutLongRuns(text: string): string {
  return text.replace(LONG_ENCODED_RUN, LEFT_OUT).replace(WRAPPED_RUN, LEFT_OUT);
}

/** The same object unless a key holds a long run; such keys are numbered, so that no member is lost. */
function withCleanKeys(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keys = Object.keys(object);
  if (keys.every((key) => withoutLongRuns(key) === key)) return object;
  return Object.fromEntries(Object.entries(object).map(([key, member], index) => {
    const clean = withoutLongRuns(key);
    return [clean === key ? key : `${clean} ${index + 1}`, member];
  }));
}

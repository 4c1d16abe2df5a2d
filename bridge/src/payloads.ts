/**
 * Keeps binary payloads out of what a model reads (S46).
 * @module
 */
import { withoutEncodedRuns } from './encoded-runs.ts';
import type { JsonValue } from './host-services.ts';
import { isJsonObject, isRecord } from './json-shape.ts';
import { ANCHOR_CHARS, findNeedles, prepareNeedles, type Needles } from './payload-search.ts';
import { originalRanges, plainWriting } from './plain-writing.ts';
import { cutOut, mergeRanges, type Range } from './text-ranges.ts';

/** Shorter strings are no payload worth looking for in text: removing them could hit a text by chance. */
const PAYLOAD_MIN_CHARS = ANCHOR_CHARS;

/** A run long enough to be a payload wherever it stands; longer than any common digest or token in text. */
const LONG_RUN_MIN_CHARS = 256;

/** Shortest `data` of a text block that counts as a payload: shorter ones may be what the text itself says. */
const TEXT_DATA_MIN_CHARS = 256;

/** A payload that is encoded throughout, in one piece or in lines. */
const ENCODED_THROUGHOUT = /^[A-Za-z0-9+/_\r\n-]*={0,2}$/;

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
        if (!isText || (payload.length >= TEXT_DATA_MIN_CHARS && ENCODED_THROUGHOUT.test(payload))) payloads.add(payload);
      }
    }
  }
  return payloads;
}

/** Payloads made ready to be looked for, as they came and in the plain writing. */
interface PayloadNeedles {
  readonly asIs: Needles;
  readonly plain: Needles;
}

/** Made once for the texts of one result, and only if there is one long enough. */
const prepared = new WeakMap<ReadonlySet<string>, PayloadNeedles>();

function needlesOf(payloads: ReadonlySet<string>): PayloadNeedles {
  const known = prepared.get(payloads);
  if (known !== undefined) return known;
  const plain = Array.from(payloads, (payload) => plainWriting(payload).replace(/={1,2}$/, ''));
  const needles: PayloadNeedles = { asIs: prepareNeedles(payloads), plain: prepareNeedles(plain) };
  prepared.set(payloads, needles);
  return needles;
}

/**
 * The text without any of the payloads, also where a server repeats one as text, in its own or another way of writing.
 * Where both repeat themselves so much that a search would take too long, it goes without anything that looks encoded.
 */
export function withoutPayloads(text: string, payloads: ReadonlySet<string>): string {
  if (payloads.size === 0 || text.length < PAYLOAD_MIN_CHARS) return text;
  const needles = needlesOf(payloads);
  const found = findNeedles(text, needles.asIs);
  if (found === undefined) return withoutAnyPayload(text, payloads);
  const clean = cutOut(text, mergeRanges(found), LEFT_OUT);
  const plain = plainWriting(clean);
  const rewritten = findNeedles(plain, needles.plain);
  if (rewritten === undefined) return withoutAnyPayload(text, payloads);
  if (rewritten.length === 0) return clean;
  return cutOut(clean, originalRanges(clean, mergeRanges(rewritten.map((range) => withPadding(plain, range)))), LEFT_OUT);
}

function withoutAnyPayload(text: string, payloads: ReadonlySet<string>): string {
  for (const payload of payloads) if (!ENCODED_THROUGHOUT.test(payload)) return LEFT_OUT;
  return withoutEncodedRuns(text, PAYLOAD_MIN_CHARS, LEFT_OUT);
}

/** A payload is looked for without its padding, which a text may leave out. */
function withPadding(plain: string, [from, end]: Range): Range {
  let to = end;
  while (to < end + 2 && plain[to] === '=') to += 1;
  return [from, to];
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
  return withoutEncodedRuns(text, LONG_RUN_MIN_CHARS, LEFT_OUT);
}

/** Keys that hold a long run are numbered, so that no member is lost. */
function withCleanKeys(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).map(([key, member], index) => {
    const clean = withoutLongRuns(key);
    return [clean === key ? key : `${clean} ${index + 1}`, member];
  }));
}

/**
 * How many values a message holds, told before it is parsed (B01). Bytes bound neither the time nor the memory of parsing:
 * 60 MB of `{},` take it seconds and more than a gigabyte, 60 MB of text 40 ms and 60 MB.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;

/**
 * Whether a JSON text may hold more than so many values: commas and opening brackets outside texts are counted, which are
 * as many as there are values, an empty list or object counting twice. One pass, and none over a text too short to hold
 * them; what is no JSON is counted alike.
 */
export function holdsMoreValues(text: string, maxValues: number): boolean {
  // Each takes two characters at the least: itself and what parts it from the next, or its two brackets.
  if (text.length <= 2 * maxValues) return false;
  let values = 1;
  let texts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      // A key and a value at the most; more of them are no JSON, and each costs a look for its end.
      if ((texts += 1) > 2 * maxValues) return true;
      at = endOfText(text, at + 1);
    } else if ((unit === COMMA || unit === OPENING_BRACKET || unit === OPENING_BRACE) && (values += 1) > maxValues) {
      return true;
    }
  }
  return false;
}

/** Where the closing quotation mark is, or the end of it all. */
function endOfText(text: string, from: number): number {
  // The engine's own search is twenty times as fast, and a payload of base64 has no backslash.
  const first = text.indexOf('"', from);
  if (first === -1) return text.length;
  if (text.charCodeAt(first - 1) !== BACKSLASH) return first;
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** What a person reads of such a message. */
export function tooManyValues(maxValues: number): string {
  return `the server sent a message of more values than \`maxMessageValues\` (${maxValues}) allows; raise it if messages are meant to hold so many`;
}

/**
 * JSON that also keeps what JSON does not know and a property's input may hold: big integers, `-0`, numbers that are not
 * finite, and `undefined` in a list. Members that are `undefined` are left out, as ever. Functions and symbols become text.
 */

/** The only member of an object that stands for another value. An object that has such a member by itself is spelled out. */
const TAG = '$exact';

/** Text that {@link parseExact} reads. */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value, function encode(this: unknown, _key, given: unknown): unknown {
    switch (typeof given) {
      case 'bigint': return tagged('bigint', String(given));
      case 'number': return Number.isFinite(given) && !Object.is(given, -0) ? given : tagged('number', Object.is(given, -0) ? '-0' : String(given));
      case 'undefined': return Array.isArray(this) ? tagged('undefined') : undefined;
      case 'object': return given !== null && Object.hasOwn(given, TAG) ? tagged('object', Object.entries(given)) : given;
      case 'function': case 'symbol': return String(given);
      default: return given;
    }
  });
}

/**
 * What {@link stringifyExact} was given.
 * @throws SyntaxError when the text is no JSON, or an object stands for what is unknown.
 */
export function parseExact(text: string): unknown {
  // A reviver makes reading ten times slower, and hardly any history needs it.
  return text.includes(`"${TAG}"`) ? JSON.parse(text, (_key, given: unknown) => decode(given)) : JSON.parse(text);
}

function tagged(kind: string, of?: unknown): Readonly<Record<string, unknown>> {
  return { [TAG]: of === undefined ? [kind] : [kind, of] };
}

function decode(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, TAG)) return given;
  const [kind, of] = partsOf(given);
  // A reviver that returns `undefined` for an element leaves a hole, which reads as `undefined`.
  if (kind === 'undefined') return undefined;
  if (kind === 'bigint' && typeof of === 'string' && /^-?\d+$/.test(of)) return BigInt(of);
  if (kind === 'number' && typeof of === 'string') return Number(of);
  if (kind === 'object' && isEntries(of)) return Object.fromEntries(of);
  throw new SyntaxError(`a value of an unknown kind stands in it: ${String(kind)}`);
}

function partsOf(given: object): readonly unknown[] {
  const parts: unknown = Reflect.get(given, TAG);
  return Array.isArray(parts) ? parts : [];
}

function isEntries(value: unknown): value is readonly (readonly [string, unknown])[] {
  return Array.isArray(value) && value.every((entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string');
}

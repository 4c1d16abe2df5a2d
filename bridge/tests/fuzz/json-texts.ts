/** JSON as text, so that what no value of JavaScript holds can be written: huge numbers, keys twice, any depth. */
import * as fc from 'fast-check';

const NUMBERS = ['0', '-0', '1', '-1', '0.5', '1e999', '-1e999', '1e-999', '9007199254740993', '123456789012345678901234567890', '2147483648', '1E+2'];
const STRINGS = [
  '""', '"a"', '"__proto__"', '"constructor"', '"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\\ufeff"', '"\\u2028\\u2029"', '"a\\r\\nb"',
  '"ä€😀"', '"2025-11-25"', '"object"', '"https://a.b/c?d=e"', '"image/png"', '"iVBORw0KGgo="', '"=?="', `"${'x'.repeat(300)}"`, `"${'QUJD'.repeat(40)}"`,
];
const KEYS = ['a', '', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', '0', 'type', 'name', 'data', 'text', 'method', 'id', 'error', '\ud800', '😀'];
/** Deeper than a recursive reader's stack goes. */
const DEEPEST = 20_000;

/** An object, members in this order; a key may come twice. */
export function objectText(members: readonly (readonly [key: string, text: string])[]): string {
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

const atom = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '{}', '[]'),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...STRINGS),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => JSON.stringify(text)),
);

const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) });

const shallow = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 5, arbitrary: atom },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`) },
    { weight: 2, arbitrary: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(objectText) },
  ),
})).value;

const deep = fc.tuple(fc.constantFrom(['[', ']'], ['{"a":', '}']), fc.integer({ min: 1, max: DEEPEST })).map(([[open, close], depth]) => `${open?.repeat(depth)}null${close?.repeat(depth)}`);

/** Any JSON value, now and then a very deep one. */
export const jsonText: fc.Arbitrary<string> = fc.oneof({ weight: 30, arbitrary: shallow }, { weight: 1, arbitrary: deep });

/** One of the usual texts for a member, or any JSON, or the member missing. */
export function member(name: string, ...usual: string[]): fc.Arbitrary<readonly (readonly [string, string])[]> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...usual).map((text) => [[name, text] as const]) },
    { weight: 1, arbitrary: jsonText.map((text) => [[name, text] as const]) },
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: jsonText.map((text) => [[name, text] as const, [name, usual[0] ?? text] as const]) },
  );
}

/** An object of such members, and now and then one of any other name. */
export function objectOf(...members: fc.Arbitrary<readonly (readonly [string, string])[]>[]): fc.Arbitrary<string> {
  const more = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(key, jsonText).map((one) => [one]) });
  return fc.tuple(...members, more).map((lists) => objectText(lists.flat()));
}

/**
 * Raw names as servers really choose them, and as nobody should. One kind a fault that bridges were reported for; each
 * input of a property holds all kinds, and `kindsOf` says which are in it, from the names themselves.
 */
import * as fc from 'fast-check';
import { oneOfEach } from './one-of-each.ts';

const CLEAN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';

const clean = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...CLEAN.split('')), minLength, maxLength });

/** Joins two clean parts with something between. */
const joined = (between: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(clean(1, 10), between, clean(1, 10)).map((parts) => parts.join(''));

const one = (name: fc.Arbitrary<string>): fc.Arbitrary<string[]> => name.map((value) => [value]);

/** Names that a language's own objects have already (B15). */
export const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'then'] as const;

const kinds: readonly fc.Arbitrary<string[]>[] = [
  one(clean(1, 20)),
  // One name is what a careless bridge makes of the other.
  fc.tuple(clean(1, 10), fc.constantFrom('.', '/', ' ', ':'), clean(1, 10)).map(([a, odd, b]) => [`${a}${odd}${b}`, `${a}_${b}`]),
  // One name is what another cleaning makes of the other: with another filler, with none, or both were odd.
  fc.tuple(clean(1, 10), clean(1, 10)).map(([a, b]) => [`${a}.${b}`, `${a}/${b}`, `${a}-${b}`, `${a}${b}`]),
  // The separator and the prefix of qualified names, inside a name.
  one(joined(fc.constantFrom('__', '___', '__mcp__'))),
  one(clean(1, 10).map((name) => `mcp__s__${name}`)),
  // Around the length at which names are cut, for a server name of 1 and of 32 characters.
  one(clean(55, 58)),
  one(clean(24, 27)),
  one(clean(65, 300)),
  // Equal at both ends, as in R02; distinct in the middle.
  fc.tuple(clean(30, 30), clean(30, 30)).map(([head, tail]) => [`${head}-one-${tail}`, `${head}-two-${tail}`]),
  // Equal as far as any bridge keeps a name.
  clean(120, 120).map((head) => [`${head}1`, `${head}2`]),
  one(joined(fc.string({ unit: fc.constantFrom('ä', 'é', '工', '具', 'ﬀ', 'Ｆ', '\u2028'), minLength: 1, maxLength: 3 }))),
  // One word in two Unicode normal forms, and one name in two cases.
  clean(1, 8).map((name) => [`${name}caf\u00e9`, `${name}cafe\u0301`]),
  clean(1, 8).map((name) => [`${name}x`, `${name}X`]),
  one(joined(fc.constantFrom('😀', '𝒳', '👩‍👩‍👧'))),
  one(joined(fc.constantFrom('\ud800', '\udfff', '\udc00x', '\udbff'))),
  one(joined(fc.constantFrom('\n', '\t', '\r', '\u0001', '\u001b[31m', '\u007f'))),
  one(joined(fc.constant('\0'))),
  one(fc.constantFrom(...PROTOTYPE_NAMES)),
  one(fc.constantFrom('', ' ', '.', '..', '-', '_', '"', '\\', '{n}', '%s')),
];

/** One list of names: one or two of each kind, in random order, no two alike. */
export const hostileNames: fc.Arbitrary<string[]> = oneOfEach(kinds).map((lists) => distinct(lists.flat()));

/** Two names that differ only in lone surrogates are one in UTF-8, which everything that hashes names works on. */
function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = Buffer.from(name, 'utf8').toString('hex');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const LABELS: Readonly<Record<string, (name: string, all: readonly string[]) => boolean>> = {
  clean: (name) => /^[A-Za-z0-9_-]{1,40}$/.test(name),
  'illegal-ascii': (name) => /[^\w-]/.test(name) && /^[\x20-\x7e]*$/.test(name),
  twins: (name, all) => /[./ :]/.test(name) && all.includes(name.replace(/[^\w-]/g, '_')),
  'cleaned-twins': (name, all) => name.includes('.') && ['/', '-', ''].every((filler) => all.includes(name.replace('.', filler))),
  separator: (name) => name.includes('__'),
  prefixed: (name) => name.startsWith('mcp__'),
  'near-limit': (name) => (name.length >= 55 && name.length <= 58) || (name.length >= 24 && name.length <= 27),
  long: (name) => name.length > 64,
  'same-ends': (name, all) => all.some((other) => other !== name && name.length > 60 && other.slice(0, 30) === name.slice(0, 30) && other.slice(-30) === name.slice(-30)),
  'same-head': (name, all) => name.length > 120 && all.some((other) => other !== name && other.slice(0, 120) === name.slice(0, 120)),
  'non-ascii': (name) => /[\u0080-\ud7ff\ue000-\uffff]/.test(name),
  'normal-forms': (name, all) => all.some((other) => other !== name && other.normalize('NFC') === name.normalize('NFC')),
  'case-twins': (name, all) => all.some((other) => other !== name && other.toLowerCase() === name.toLowerCase()),
  astral: (name) => /[\u{10000}-\u{10ffff}]/u.test(name),
  'lone-surrogate': (name) => Buffer.from(name, 'utf8').toString('utf8') !== name,
  control: (name) => name.split('').some((unit) => unit < ' ' && unit !== '\0'),
  nul: (name) => name.includes('\0'),
  prototype: (name) => PROTOTYPE_NAMES.some((known) => known === name),
  tiny: (name) => name.length <= 1,
};

/** Which kinds of names are in a list, judged by the names alone. */
export function kindsOf(names: readonly string[]): string[] {
  return Object.entries(LABELS).flatMap(([label, is]) => (names.some((name) => is(name, names)) ? [label] : []));
}

/** How many of a property's inputs hold each kind at least: every input was built to. */
export function nameMinimums(runs: number): Readonly<Record<string, number>> {
  // `control` and `tiny` may miss an input: some of their examples are other kinds (DEL, "..").
  const some = new Set(['control', 'tiny']);
  return Object.fromEntries(Object.keys(LABELS).map((label) => [label, some.has(label) ? Math.ceil(runs / 4) : Math.ceil(runs / 2)]));
}

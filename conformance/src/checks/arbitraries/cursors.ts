/** Cursors as servers make them, and as a bridge might take them for something that they are not. */
import * as fc from 'fast-check';
import { oneOfEach } from './one-of-each.ts';

const KINDS = {
  base64: fc.nat(1000).map((offset) => Buffer.from(JSON.stringify({ offset })).toString('base64')),
  json: fc.nat(1000).map((offset) => JSON.stringify({ offset, order: ['a', null] })),
  number: fc.integer({ min: -1, max: 100 }).map(String),
  literal: fc.constantFrom('null', 'undefined', 'false', 'NaN', '[object Object]'),
  blank: fc.constantFrom(' ', '  ', '\t', '\n', ' padded ', '\u00a0'),
  url: fc.nat(100).map((page) => `https://127.0.0.1/list?page=${page}&x=%2B+%20#top`),
  prototype: fc.constantFrom('__proto__', 'constructor', 'toString'),
  unicode: fc.constantFrom('späté', '次のページ', '➡️😀', 'e\u0301', '\u2028'),
  control: fc.constantFrom('\0', 'a\0b', '\u001b[0m', '\r\n', '\u0000\u0001'),
  quotes: fc.constantFrom('"', '\\', "'; --", '{{n}}', '$1'),
  long: fc.integer({ min: 4096, max: 8192 }).map((length) => 'c'.repeat(length)),
} as const;

/** A list of cursors with one of each kind, no two alike. */
export const hostileCursors: fc.Arbitrary<string[]> = oneOfEach<string>(Object.values(KINDS)).map((cursors) => [...new Set(cursors)]);

const LABELS: Readonly<Record<string, (cursor: string) => boolean>> = {
  base64: (cursor) => /^[A-Za-z0-9+/]{8,}={0,2}$/.test(cursor) && cursor.length < 100,
  json: (cursor) => cursor.startsWith('{"'),
  number: (cursor) => /^-?\d+$/.test(cursor),
  'blank ends': (cursor) => cursor.trim() !== cursor,
  url: (cursor) => cursor.startsWith('https:'),
  'non-ascii': (cursor) => /[\u0080-\uffff]/.test(cursor),
  quotes: (cursor) => /["'\\{$]/.test(cursor),
  long: (cursor) => cursor.length >= 4096,
};

/** Which kinds of cursors are in a list. */
export function cursorKindsOf(cursors: readonly string[]): string[] {
  return Object.entries(LABELS).flatMap(([label, is]) => (cursors.some(is) ? [label] : []));
}

/** How many inputs hold each kind at least: every one was built to. */
export function cursorMinimums(runs: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.keys(LABELS).map((label) => [label, Math.ceil(runs / 2)]));
}

/**
 * Reads single options of a config. Each reader returns a usable value in any case and reports what is wrong, so that
 * one message can name every fault.
 * @module
 */
import type { OptionKind } from './config-options.ts';
import type { FetchFunction } from './transport/http-headers.ts';
import { type ConfigProblems, describeKind, quoteWord } from './config-problems.ts';

/** Header names as HTTP spells them (RFC 9110, token). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Header values as HTTP carries them: one line, no control character but the tab, one byte a character. */
const HEADER_VALUE = /^[\t\x20-\x7E\x80-\xFF]*$/;

/** The number of one option, or its default. */
export function readNumber(kind: OptionKind & { type: 'number' }, value: unknown, place: string, problems: ConfigProblems): number {
  if (value === undefined || value === null) return kind.default;
  const noun = kind.unit === 'ms' ? 'a number of milliseconds' : kind.unit === 'bytes' ? 'a number of bytes' : 'a number';
  if (typeof value !== 'number') {
    problems.add(place, `must be ${noun}, not ${describeKind(value)}`, `write a plain number without quotes, such as ${kind.default}`);
  } else if (!Number.isFinite(value)) {
    problems.add(place, `must be ${noun}, not ${value}`, `write a finite number, such as ${kind.default}`);
  } else if (kind.unit !== 'ms' && !Number.isInteger(value)) {
    problems.add(place, `must be a whole number, not ${value}`, `write one such as ${kind.default}`);
  } else if (value <= 0) {
    problems.add(place, `must be greater than 0, not ${value}`, `write one such as ${kind.default}`);
  } else if (value < kind.min || value > kind.max) {
    problems.add(place, `must be between ${kind.min} and ${kind.max}, not ${value}`, `write one such as ${kind.default}`);
  } else {
    return value;
  }
  return kind.default;
}

/** The flag of one option, or its default. */
export function readFlag(kind: OptionKind & { type: 'flag' }, value: unknown, place: string, problems: ConfigProblems): boolean {
  if (value === undefined || value === null) return kind.default;
  if (typeof value === 'boolean') return value;
  problems.add(place, `must be true or false, not ${describeKind(value)}`, 'write true or false without quotes');
  return kind.default;
}

/** The choice of one option, or its default. */
export function readChoice(kind: OptionKind & { type: 'choice' }, value: unknown, place: string, problems: ConfigProblems): string {
  if (value === undefined || value === null) return kind.default;
  const chosen = kind.choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  const got = typeof value === 'string' ? quoteWord(value) : describeKind(value);
  problems.add(place, `is ${got}`, `write one of ${kind.choices.join(', ')}`);
  return kind.default;
}

/** Text without NUL, which no program argument and no path can hold. */
export function readText(value: unknown, place: string, problems: ConfigProblems, example: string): string {
  if (typeof value !== 'string' || value === '') {
    problems.add(place, value === undefined ? 'is missing' : `must be text, not ${describeKind(value)}`, `write ${example}`);
    return '';
  }
  if (value.includes('\0')) problems.add(place, 'contains a NUL character', 'remove it');
  return value;
}

/** A list of texts; absent means none. */
export function readTexts(value: unknown, place: string, problems: ConfigProblems): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    problems.add(place, `must be a list of texts, not ${describeKind(value)}`, "write one such as ['-y', 'some-server']");
    return [];
  }
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'string') {
      problems.add(`${place}[${index}]`, `must be text, not ${describeKind(item)}`, 'put it in quotes');
    } else if (item.includes('\0')) {
      problems.add(`${place}[${index}]`, 'contains a NUL character', 'remove it');
    }
  }
  return value.filter((item): item is string => typeof item === 'string');
}

/**
 * A mapping of names to texts; absent means none. A name without a value (an unset variable in an expression) is left
 * out with a warning: it must not become the text `undefined`.
 */
export function readPairs(value: unknown, place: string, problems: ConfigProblems, names: 'env' | 'headers'): Readonly<Record<string, string>> {
  // Without a prototype, since names are data (B15).
  const pairs: Record<string, string> = Object.setPrototypeOf({}, null);
  if (value === undefined || value === null) return pairs;
  if (typeof value !== 'object' || Array.isArray(value)) {
    problems.add(place, `must be a mapping of names to texts, not ${describeKind(value)}`, 'write NAME: value, one a line');
    return pairs;
  }
  for (const [name, item] of Object.entries(value)) {
    const at = `${place}[${quoteWord(name)}]`;
    if (item === undefined || item === null) {
      problems.warn(at, 'has no value and is left out');
    } else if (typeof item !== 'string') {
      problems.add(at, `must be text, not ${typeof item}`, 'put the value in quotes');
    } else if (names === 'env' ? !isEnvPair(name, item) : !isHeaderPair(name, item)) {
      problems.add(at, 'holds a character that is not allowed there', names === 'env' ? 'remove = from the name and NUL from both' : 'keep to letters, digits and - in the name, and to one line in the value');
    } else {
      // A token in a template: `Bearer ${process.env.TOKEN}`. Sent all the same, since it may be meant.
      if (/(?:^|\s)undefined$/.test(item)) problems.warn(at, 'ends with the word "undefined"; is the variable set that its expression reads?');
      pairs[name] = item;
    }
  }
  return pairs;
}

/** Whether an operating system accepts the pair as environment. */
function isEnvPair(name: string, value: string): boolean {
  return name !== '' && !name.includes('=') && !name.includes('\0') && !value.includes('\0');
}

/** Whether HTTP accepts the pair: no line break or NUL, and characters of one byte only, as Node's fetch demands. */
function isHeaderPair(name: string, value: string): boolean {
  return HEADER_NAME.test(name) && HEADER_VALUE.test(value);
}

/** A function in place of the platform's `fetch`; absent means the platform's (B29). */
export function readFetch(value: unknown, place: string, problems: ConfigProblems): FetchFunction | undefined {
  if (value === undefined || value === null) return undefined;
  if (isFunction(value)) return value;
  problems.add(place, `must be a function, not ${describeKind(value)}`, 'leave it out, or build the config in code and give one like fetch');
  return undefined;
}

/** What a function takes and returns shows only when it is called. */
function isFunction(value: unknown): value is FetchFunction {
  return typeof value === 'function';
}

/** An http or https address without credentials, which fetch would refuse (S09). */
export function readUrl(value: unknown, place: string, problems: ConfigProblems): string {
  const text = readText(value, place, problems, "the server's address, such as http://localhost:3000/mcp");
  if (text === '') return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined && hasPortAboveAll(text)) {
    problems.add(place, 'has a port above 65535', 'correct the port');
  } else if (url === undefined) {
    problems.add(place, 'is no complete address', 'write it whole, such as http://localhost:3000/mcp');
  } else if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    problems.add(place, `has the scheme ${quoteWord(url.protocol)}`, 'use http:// or https://');
  } else if (url.username !== '' || url.password !== '') {
    problems.add(place, 'contains a user name or password', 'move them into headers.Authorization');
  }
  return text;
}

/** Whether a port that no address has is what makes a text none. The number is not shown: it may be part of a password. */
function hasPortAboveAll(text: string): boolean {
  const port = /^https?:\/\/[^/?#\\]*:(\d+)(?:[/?#\\]|$)/i.exec(text)?.[1];
  return port !== undefined && Number(port) > 65_535;
}

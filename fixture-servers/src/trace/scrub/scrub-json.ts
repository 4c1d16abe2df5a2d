/**
 * Removes secrets from JSON as text: only the strings that hold one change, everything else stays as it was written, and
 * text that is cut or broken is taken as far as it goes. No recursion, so that depth cannot hurt.
 */
import { parseMessage } from '../../jsonrpc/message.ts';
import { isPlaceholder, placeholderAt, type SecretKind } from './placeholders.ts';
import { scrubText, type Replace, type TextRules } from './secret-text.ts';

/** Says where a secret stood: the keys around it, joined by dots. */
export type ReplaceAt = (where: string, kind: SecretKind, secret: string, named: boolean) => string;

/** How deep text in text is looked into: a tool's answer that is JSON, with JSON in it. */
const MAX_NESTED_TEXTS = 3;
/** How many keys of a place are told. */
const MAX_PATH_KEYS = 16;

/** Members that map names to schemas: a schema called `token` is no token. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']);
/** Members of a schema in which a value may stand. */
const SCHEMA_VALUES: ReadonlySet<string> = new Set(['default', 'const', 'example', 'examples']);
/** Members of a message that correlate it. */
const ENVELOPE: ReadonlySet<string> = new Set(['jsonrpc', 'method', 'id']);
const SCHEMES = /^(bearer|basic|digest|token|apikey|negotiate|dpop|hmac) +(?=\S)/i;

interface Level {
  readonly isObject: boolean;
  /** The key the next value belongs to. */
  key: string;
  expectsKey: boolean;
  /** Every string in here is a secret of this kind. */
  readonly inherited: SecretKind | undefined;
  /** This is a schema, and its value would be such a secret. */
  readonly schemaOf: SecretKind | undefined;
  /** The secret kind that a member `name` or `key` gave to the member `value` beside it. */
  pairKind: SecretKind | undefined;
}

/** Names a place, when somebody asks: nearly no string is a secret. */
type Place = () => string;

/** The text without its secrets. Text that is no JSON is taken as running text. */
export function scrubJson(text: string, rules: TextRules, replaceAt: ReplaceAt, place: Place = nowhere, nested = 0): string {
  if (!/^\uFEFF?\s{0,1000}[[{]/.test(text)) return scrubText(text, rules, at(replaceAt, place));
  const isWhole = parseMessage(text).ok;
  // Text that only begins like JSON is prose; a frame that does was cut, and is both.
  if (!isWhole && nested > 0) return scrubText(text, rules, at(replaceAt, place));
  const scanned = scan(text, rules, replaceAt, place, nested);
  return isWhole ? scanned : scrubText(scanned, rules, at(replaceAt, place));
}

function scan(text: string, rules: TextRules, replaceAt: ReplaceAt, place: Place, nested: number): string {
  const levels: Level[] = [];
  let out = '';
  let copied = 0;
  let position = 0;

  const put = (from: number, to: number, changed: string): void => {
    out += text.slice(copied, from) + changed;
    copied = to;
  };
  const where = (): string => {
    const keys = levels.slice(0, MAX_PATH_KEYS).map((level) => (level.isObject ? scrubText(level.key, rules, (kind) => `[${kind}]`) : '[]'));
    return [place(), ...keys].filter((key) => key !== '').join('.').replaceAll('.[]', '[]');
  };
  const kindHere = (level: Level | undefined): SecretKind | undefined => {
    if (level === undefined) return undefined;
    if (level.schemaOf !== undefined) return SCHEMA_VALUES.has(level.key) ? level.schemaOf : undefined;
    if (level.inherited !== undefined || !level.isObject) return level.inherited;
    return rules.keys(level.key) ?? (level.key === 'value' ? level.pairKind : undefined);
  };
  const open = (isObject: boolean): void => {
    const parent = levels.at(-1);
    const kind = kindHere(parent);
    const inMap = parent?.isObject === true && levels.length > 1 && SCHEMA_MAPS.has(levels.at(-2)?.key ?? '') && levels.at(-2)?.isObject === true;
    levels.push({
      isObject, key: '', expectsKey: isObject, pairKind: undefined,
      inherited: inMap ? undefined : kind,
      schemaOf: inMap && isObject ? kind : undefined,
    });
  };
  const string = (from: number, to: number): void => {
    const level = levels.at(-1);
    const token = text.slice(from, to);
    const decoded = decode(token);
    if (level?.isObject === true && level.expectsKey) {
      level.key = decoded ?? token.slice(1, -1);
      level.expectsKey = false;
      const key = scrubText(level.key, { ...rules, patterns: [], known: same }, at(replaceAt, () => `${where()} (key)`));
      if (key !== level.key && decoded !== undefined) put(from, to, JSON.stringify(key));
      return;
    }
    if (levels.length === 1 && level !== undefined && ENVELOPE.has(level.key)) return;
    const value = decoded ?? token.slice(1, token.endsWith('"') && token.length > 1 ? -1 : undefined);
    const kind = kindHere(level);
    const changed = kind === undefined ? scrubValue(value) : secretValue(value, kind);
    if (level?.isObject === true && ['name', 'key', 'header'].includes(level.key)) level.pairKind = rules.keys(changed);
    if (changed === value) return;
    const quoted = JSON.stringify(changed);
    // Broken off in the middle: its end stays open.
    put(from, to, decoded === undefined && !token.endsWith('"') ? quoted.slice(0, -1) : quoted);
  };
  const scrubValue = (value: string): string =>
    nested < MAX_NESTED_TEXTS ? scrubJson(value, rules, replaceAt, where, nested + 1) : scrubText(value, rules, at(replaceAt, where));
  const secretValue = (value: string, kind: SecretKind): string => {
    if (value === '' || isPlaceholder(value)) return value;
    const scheme = SCHEMES.exec(value)?.[0] ?? '';
    const secret = value.slice(scheme.length);
    return isPlaceholder(secret) ? value : scheme + replaceAt(where(), kind, secret, true);
  };
  const number = (from: number): number => {
    let to = from;
    while (to < text.length && /[-+.\deE]/.test(text[to] ?? '')) to += 1;
    const kind = kindHere(levels.at(-1));
    const digits = text.slice(from, to);
    if (kind !== undefined && kind !== 'session' && digits !== '0') {
      replaceAt(where(), kind, digits, false);
      put(from, to, '0');
    }
    return to;
  };

  while (position < text.length) {
    const char = text[position];
    const level = levels.at(-1);
    if (char === '"') {
      const end = endOfString(text, position);
      string(position, end);
      position = end;
      continue;
    }
    const placeholder = char === '[' ? placeholderAt(text, position) : 0;
    if (placeholder > 0) {
      // In broken text one may stand outside a string.
      position += placeholder;
      continue;
    }
    if (char === '{' || char === '[') open(char === '{');
    else if (char === '}' || char === ']') levels.pop();
    else if (char === ',' && level !== undefined) level.expectsKey = level.isObject;
    else if (level?.expectsKey !== true && char !== undefined && /[-\d]/.test(char)) {
      position = number(position);
      continue;
    }
    position += 1;
  }
  return out + text.slice(copied);
}

function at(replaceAt: ReplaceAt, place: Place): Replace {
  return (kind, secret, named) => replaceAt(place(), kind, secret, named);
}

function nowhere(): string {
  return '';
}

function same(text: string): string {
  return text;
}

/** After the closing quote, or the end of a text that breaks off. */
function endOfString(text: string, from: number): number {
  for (let index = from + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x5c) index += 1;
    else if (code === 0x22) return index + 1;
  }
  return text.length;
}

function decode(token: string): string | undefined {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes secrets from the records of one trace. */
import { parseMessage } from '../../jsonrpc/message.ts';
import type { FrameRecord, TraceRecord } from '../schema.ts';
import { createKnownSecrets, createPlaceholders, highestPlaceholder, isPlaceholder, type Placeholders, type SecretKind } from './placeholders.ts';
import { scrubJson, type ReplaceAt } from './scrub-json.ts';
import { createSecretKeys } from './secret-keys.ts';
import { scrubText, type Matcher, type TextRules } from './secret-text.ts';

/** How many different places are told apart. */
const MAX_PLACES = 1_000;

/** What was removed: never the value. */
export interface Removal {
  /** Such as `tools/call params.arguments.apiKey` or `request header authorization`. */
  readonly where: string;
  readonly kind: SecretKind;
  readonly count: number;
}

/** Settings of a scrubber. */
export interface ScrubOptions {
  /** More names that hold secrets. */
  readonly keys?: readonly string[];
  /** More patterns. */
  readonly patterns?: readonly Matcher[];
}

/** Removes secrets, record by record. */
export interface Scrubber {
  /** Looks for secrets under telling names, so that `scrub` finds them where no name tells. Goes over the whole trace first. */
  survey(record: TraceRecord): void;
  /** The record without its secrets. */
  scrub(record: TraceRecord): TraceRecord;
  /** What `scrub` removed so far, most first. */
  removals(): Removal[];
}

/** Makes a scrubber for one trace: equal secrets in it get equal placeholders. */
export function createScrubber(options: ScrubOptions = {}): Scrubber {
  const keys = createSecretKeys(options.keys);
  const patterns = options.patterns ?? [];
  let placeholders: Placeholders | undefined;
  let highest = 0;
  // Numbered after those that the trace has already: two different secrets must not become one.
  const placeholder = (kind: SecretKind, secret: string): string => (placeholders ??= createPlaceholders(highest)).of(kind, secret);
  const known = createKnownSecrets();
  const counts = new Map<string, { where: string; kind: SecretKind; count: number }>();
  let prefix = '';

  const count = (where: string, kind: SecretKind): void => {
    const place = `${prefix}${where === '' ? '' : ` ${where}`}`.slice(0, 300);
    const key = `${kind} ${counts.size < MAX_PLACES ? place : 'elsewhere'}`;
    const entry = counts.get(key) ?? { where: key.slice(kind.length + 1), kind, count: 0 };
    entry.count += 1;
    counts.set(key, entry);
  };
  const replaceAt: ReplaceAt = (where, kind, secret) => {
    count(where, kind);
    return placeholder(kind, secret);
  };
  const rules: TextRules = {
    keys, patterns,
    known: (text) => known.replace(text, (secret) => {
      count('', 'known');
      return placeholder('known', secret);
    }),
  };
  const remember: ReplaceAt = (_where, _kind, secret, named) => {
    if (named) known.add(secret);
    return secret;
  };
  const surveyRules: TextRules = { keys, patterns: [], known: (text) => text };

  return {
    survey(record) {
      highest = Math.max(highest, highestPlaceholder(JSON.stringify(record)));
      change(record, surveyRules, remember, () => undefined);
    },
    scrub: (record) => change(record, rules, replaceAt, (text) => {
      prefix = text;
    }),
    removals: () => [...counts.values()].sort((a, b) => b.count - a.count || (a.where < b.where ? -1 : 1)),
  };
}

function change(record: TraceRecord, rules: TextRules, replaceAt: ReplaceAt, enter: (place: string) => void): TraceRecord {
  const text = (where: string, value: string): string => {
    enter(where);
    return scrubText(value, rules, (kind, secret, named) => replaceAt('', kind, secret, named));
  };
  const session = (): { session?: string } => {
    if (record.session === undefined) return {};
    enter('session');
    return { session: isPlaceholder(record.session) || record.session === '' ? record.session : replaceAt('', 'session', record.session, true) };
  };
  if (record.kind === 'process') {
    return { ...record, ...session(), ...(record.text === undefined ? {} : { text: text(record.event, record.text) }) };
  }
  if (record.kind !== 'frame') return { ...record, ...session() };
  enter(placeOf(record));
  const raw = scrubJson(record.raw, rules, replaceAt);
  return {
    ...record, ...session(), raw,
    bytes: Math.max(0, record.bytes + Buffer.byteLength(raw) - Buffer.byteLength(record.raw)),
    ...('message' in record ? { message: messageAfter(record, raw, rules, replaceAt) } : {}),
    ...(record.http === undefined ? {} : { http: http(record.http, rules, replaceAt, enter, text) }),
  };
}

/** The value of the scrubbed text: text and value of a record say the same. */
function messageAfter(record: FrameRecord, raw: string, rules: TextRules, replaceAt: ReplaceAt): unknown {
  const parsed = parseMessage(raw);
  if (parsed.ok) return parsed.value;
  // A record whose value is not that of its text: written by hand, and scrubbed all the same.
  const own = parseMessage(scrubJson(JSON.stringify(record.message), rules, replaceAt));
  return own.ok ? own.value : null;
}

type Http = NonNullable<FrameRecord['http']>;

function http(value: Http, rules: TextRules, replaceAt: ReplaceAt, enter: (place: string) => void, text: (where: string, value: string) => string): Http {
  const headers = (side: string, fields: Readonly<Record<string, string>> | undefined): Record<string, string> | undefined => {
    if (fields === undefined) return undefined;
    const out: Record<string, string> = {};
    for (const [name, field] of Object.entries(fields)) {
      enter(`${side} header ${rules.keys(name) === undefined ? 'field' : name.toLowerCase()}`);
      // As the member of an object, so that names tell and schemes such as Bearer stay.
      const parsed = parseMessage(scrubJson(JSON.stringify({ [name]: field }), rules, (_where, kind, secret, named) => replaceAt('', kind, secret, named)));
      for (const [key, changed] of Object.entries(parsed.ok && typeof parsed.value === 'object' && parsed.value !== null ? parsed.value : {})) {
        Object.defineProperty(out, key, { value: String(changed), enumerable: true, configurable: true, writable: true });
      }
    }
    return out;
  };
  const request = headers('request', value.requestHeaders);
  const response = headers('response', value.responseHeaders);
  return {
    ...value,
    ...(value.path === undefined ? {} : { path: text('request path', value.path) }),
    ...(request === undefined ? {} : { requestHeaders: request }),
    ...(response === undefined ? {} : { responseHeaders: response }),
  };
}

function placeOf({ direction, message }: FrameRecord): string {
  const method: unknown = typeof message === 'object' && message !== null && 'method' in message ? message.method : undefined;
  if (typeof method === 'string') return /^[\w/-]{1,64}$/.test(method) ? method : 'request';
  return direction === 'server-to-client' ? 'answer' : 'answer of the client';
}

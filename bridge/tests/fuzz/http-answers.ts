/** What an HTTP server may answer with: statuses, headers, bodies of every kind, event streams with odd fields. */
import * as fc from 'fast-check';
import { anyBytes, anyCuts, type Cuts } from './chunkings.ts';
import { answerTo, soundAnswer, strayMessage } from './mcp-texts.ts';

/** One answer. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text with the request's id to be put in, or bytes as they are. */
  readonly body: string | Buffer;
  readonly cuts: Cuts;
  /** How the body ends: as it should, by a broken connection, or not at all. */
  readonly end: 'end' | 'destroy' | 'open';
  /** Whether the header says the body's length. */
  readonly saysLength: boolean;
}

/** Answers of a server, by method; a GET and a DELETE too. */
export type HttpScript = Readonly<Record<string, HttpAnswer>>;

/** What a script may say. */
export const KINDS = ['initialize', 'notifications/initialized', 'tools/list', 'tools/call', 'GET', 'DELETE', 'ping', 'other'] as const;

const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'];
const STREAM_TYPES = ['text/event-stream', 'text/event-stream;charset=UTF-8'];
const lineEnd = fc.constantFrom('\n', '\n', '\r\n', '\r');

const fieldValue = fc.oneof(
  fc.constantFrom('', '1', '0', '-1', '1e3', '99999999999999999999', 'message', 'error', 'ä€😀', '\0', '\u0001', '\u007f', ' x ', '\ufeff', 'x'.repeat(1_001)),
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, '')),
);
const field = fc.tuple(fc.constantFrom('id', 'retry', 'event', 'data', '', 'Id', 'other', '\ufeffdata'), fc.constantFrom(':', ': ', ':  ', ''), fieldValue).map((parts) => parts.join(''));

/** The text of an event stream that holds these messages and odd fields among them. */
function streamText(message: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const event = fc.tuple(fc.array(field, { maxLength: 3 }), fc.oneof({ weight: 5, arbitrary: message }, { weight: 2, arbitrary: strayMessage }), fc.boolean())
    .map(([fields, text, isSplit]) => [...fields, ...(isSplit ? text.replaceAll(',', ',\n').split('\n') : [text]).map((line) => `data: ${line}`), '']);
  return fc.tuple(fc.constantFrom('', '', '\ufeff'), lineEnd, fc.array(event, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '', 'data: cut')).map(
    ([mark, end, events, rest]) => `${mark}${events.flat().map((line) => `${line}${end}`).join('')}${rest}`,
  );
}

const header = fc.oneof(
  fc.record({ 'mcp-session-id': fc.constantFrom('', 's', 'x'.repeat(500), 'a b', '\u00e9', '"') }),
  fc.record({ location: fc.constantFrom('', '/mcp', '//', 'http://[', 'http://127.0.0.1:9/', 'javascript:1', '\u00ff') }),
  fc.record({ 'content-encoding': fc.constantFrom('gzip', 'identity', 'br', 'x', 'gzip, gzip, gzip, gzip, gzip, gzip') }),
  fc.record({ 'set-cookie': fc.constantFrom('a=b', '__proto__=1'), 'www-authenticate': fc.constantFrom('Bearer', '"') }),
  fc.record({ 'retry-after': fc.constantFrom('0', '999999999999', 'x'), 'x-fill': fc.nat(4_000).map((length) => 'y'.repeat(length)) }),
);
const status = fc.oneof(
  { weight: 6, arbitrary: fc.constant(200) },
  { weight: 1, arbitrary: fc.constantFrom(201, 202, 204, 205, 206, 226, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 407, 410, 413, 421, 429, 451, 500, 502, 503, 504, 599) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 999 }) },
);
const end = fc.constantFrom('end' as const, 'end' as const, 'end' as const, 'end' as const, 'destroy' as const, 'open' as const);

function bodied(message: fc.Arbitrary<string>): fc.Arbitrary<{ readonly body: string | Buffer; readonly type: string }> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ body: message, type: fc.constantFrom(...JSON_TYPES) }) },
    { weight: 1, arbitrary: fc.record({ body: message.map((text) => `\ufeff${text}`), type: fc.constantFrom(...JSON_TYPES) }) },
    { weight: 4, arbitrary: fc.record({ body: streamText(message), type: fc.constantFrom(...STREAM_TYPES) }) },
    { weight: 1, arbitrary: fc.record({ body: anyBytes, type: fc.constantFrom(...JSON_TYPES, ...STREAM_TYPES, 'text/html', '') }) },
    { weight: 1, arbitrary: fc.record({ body: fc.oneof(message, fc.constant('<!doctype html>'), fc.constant('session expired')), type: fc.constantFrom('text/html', 'text/plain', '', ';', 'application/json/x') }) },
  );
}

/** Any answer to one kind of request. */
export function anyAnswer(kind: string): fc.Arbitrary<HttpAnswer> {
  return fc.tuple(bodied(answerTo(kind)), fc.array(header, { maxLength: 2 }), status, anyCuts, end, fc.boolean()).map(
    ([{ body, type }, headers, code, cuts, how, saysLength]) => ({
      status: code, headers: Object.assign({}, ...headers, type === '' ? {} : { 'content-type': type }), body, cuts, end: how, saysLength,
    }),
  );
}

/** A sound answer, as JSON or as an event stream. */
export function soundHttp(kind: string, isStream: boolean): HttpAnswer {
  const plain = { status: 200, headers: { 'content-type': 'application/json' }, body: soundAnswer(kind), cuts: [], end: 'end', saysLength: true } as const;
  if (kind === 'GET') return { ...plain, status: 405, body: '' };
  if (kind === 'notifications/initialized') return { ...plain, status: 202, body: '' };
  if (!isStream || kind === 'DELETE') return plain;
  return { ...plain, headers: { 'content-type': 'text/event-stream' }, body: `data: ${plain.body}\n\n`, saysLength: false };
}

/** A server that does everything as it should. */
export const SOUND_HTTP: HttpScript = Object.fromEntries(KINDS.map((kind) => [kind, soundHttp(kind, false)]));

/** Any server: each answer sound or not. */
export const anyHttpScript: fc.Arbitrary<HttpScript> = fc.record(Object.fromEntries(KINDS.map((kind) => [
  kind,
  fc.oneof({ weight: 3, arbitrary: fc.boolean().map((isStream) => soundHttp(kind, isStream)) }, { weight: kind === 'initialize' ? 2 : 4, arbitrary: anyAnswer(kind) }),
])));

/** One request and its answer on their way through. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { request as send, type Dispatcher } from 'undici';
import { messageOf } from '../../system-error.ts';
import type { FrameContext, Recorder } from '../../trace/recorder.ts';
import { PROXY_MAX_RAW_CHARS } from '../bounded-trace.ts';
import { createBodyTap } from './body-tap.ts';
import { createEventTap } from './event-tap.ts';
import { asRecord, endToEnd, valueOf, type RawHeaders } from './headers.ts';
import { createTextTap } from './text-tap.ts';

/** The way to the server. */
export interface Leg {
  readonly target: URL;
  readonly recorder: Recorder;
  readonly agent: Dispatcher;
  readonly warn: (message: string) => void;
  /** How many requests there were. */
  count: number;
  /** By session: which it is, from 1. */
  readonly incarnations: Map<string, number>;
  /** Our own origin. */
  self: string;
}

/** As many sessions are numbered; later ones share the last number. */
const MAX_SESSIONS = 100_000;

type Http = NonNullable<FrameContext['http']>;

/** Passes a request on and its answer back. Resolves when both have ended or one was cut off. */
export async function passExchange(leg: Leg, request: IncomingMessage, response: ServerResponse): Promise<void> {
  leg.count += 1;
  const exchange = leg.count;
  const method = request.method ?? 'GET';
  const path = request.url ?? '/';
  const session = valueOf(request.rawHeaders, 'mcp-session-id');
  const gone = new AbortController();
  response.on('close', () => gone.abort());

  const asked = createTextTap(PROXY_MAX_RAW_CHARS);
  const noteRequest = (): void => {
    note(leg, 'client-to-server', asked.text(), asked.bytes(), session, { method, exchange, path, requestHeaders: asRecord(request.rawHeaders) });
  };
  const body = hasBody(request) ? Readable.from(watched(request, (chunk) => asked.look(chunk), noteRequest), { objectMode: false }) : null;
  if (body === null) {
    request.resume();
    noteRequest();
  }
  let answer: Dispatcher.ResponseData;
  try {
    answer = await send(new URL(path, leg.target.origin), {
      method: methodOf(method), dispatcher: leg.agent, signal: gone.signal, responseHeaders: 'raw',
      headers: endToEnd(request.rawHeaders, ['host']),
      body,
    });
  } catch (error) {
    if (!gone.signal.aborted) {
      const text = `the server cannot be reached: ${reasonOf(error)}`;
      leg.warn(`${method} ${path}: ${text}`);
      leg.recorder.record({ kind: 'process', event: 'down', text: `${method} ${path}: ${text}` });
    }
    // As it would be without us: a connection that fails.
    response.destroy();
    return;
  }
  await passAnswer(leg, answer, response, { method, exchange, session });
}

async function passAnswer(leg: Leg, answer: Dispatcher.ResponseData, response: ServerResponse, { method, exchange, session }: { method: string; exchange: number; session: string | undefined }): Promise<void> {
  const raw = rawOf(answer.headers);
  const own = valueOf(raw, 'mcp-session-id') ?? session;
  const type = valueOf(raw, 'content-type') ?? '';
  const status = answer.statusCode;
  response.sendDate = false;
  response.writeHead(status, endToEnd(raw).map((part, index, all) => (index % 2 === 1 && all[index - 1]?.toLowerCase() === 'location' ? homeward(part, leg) : part)));
  // The head may come long before the first event.
  response.flushHeaders();
  const head: Http = { method, exchange, status, responseHeaders: asRecord(raw) };
  const isStream = /^text\/event-stream/i.test(type);
  const events = createEventTap(PROXY_MAX_RAW_CHARS);
  const whole = createTextTap(PROXY_MAX_RAW_CHARS);
  if (isStream) note(leg, 'server-to-client', '', 0, own, head);
  const tap = createBodyTap(valueOf(raw, 'content-encoding'), isStream ? Number.MAX_SAFE_INTEGER : PROXY_MAX_RAW_CHARS, (chunk) => {
    if (!isStream) whole.look(chunk);
    else for (const { id, data } of events.look(chunk)) note(leg, 'server-to-client', data, Buffer.byteLength(data), own, { method, exchange, status, event: id ?? '' });
  });
  let bytes = 0;
  const body: Readable = answer.body;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (!response.write(chunk) && !response.destroyed) {
      body.pause();
      response.once('drain', () => body.resume());
    }
    tap.write(chunk);
  });
  let ended: Http['ended'] = 'complete';
  try {
    await finished(body, { writable: false });
    response.end();
  } catch {
    ended = 'cut';
    response.destroy();
  }
  await tap.end();
  if (isStream) note(leg, 'server-to-client', '', 0, own, { method, exchange, status, ended });
  else note(leg, 'server-to-client', whole.text(), Math.max(bytes, whole.bytes()), own, ended === 'cut' ? { ...head, ended } : head);
}

function note(leg: Leg, direction: 'client-to-server' | 'server-to-client', text: string, bytes: number, session: string | undefined, http: Http): void {
  if (session !== undefined) {
    if (!leg.incarnations.has(session) && leg.incarnations.size < MAX_SESSIONS) leg.incarnations.set(session, leg.incarnations.size + 1);
    leg.recorder.setIncarnation(leg.incarnations.get(session) ?? leg.incarnations.size);
  }
  leg.recorder.frame(direction, text, bytes, { ...(session === undefined ? {} : { session }), http });
}

/** A redirect within the server stays with us. */
function homeward(location: string, leg: Leg): string {
  return location.startsWith(`${leg.target.origin}/`) ? leg.self + location.slice(leg.target.origin.length) : location;
}

function hasBody(request: IncomingMessage): boolean {
  return request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
}

async function* watched(request: IncomingMessage, look: (chunk: Buffer) => void, end: () => void): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = request;
  for await (const chunk of chunks) {
    look(chunk);
    yield chunk;
  }
  end();
}

/** With `responseHeaders: 'raw'` the library hands over names and values in turn, which its types do not say. */
function rawOf(headers: unknown): RawHeaders {
  if (Array.isArray(headers)) return headers.map(String);
  if (typeof headers !== 'object' || headers === null) return [];
  return Object.entries(headers).flatMap(([name, value]) => (Array.isArray(value) ? value.flatMap((each) => [name, String(each)]) : [name, String(value)]));
}

function methodOf(method: string): Dispatcher.HttpMethod {
  const known: readonly Dispatcher.HttpMethod[] = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'];
  return known.find((each) => each === method) ?? 'GET';
}

function reasonOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error instanceof Error ? (error.cause ?? error) : error;
  return messageOf(cause);
}


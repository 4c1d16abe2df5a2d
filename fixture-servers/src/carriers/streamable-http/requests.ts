/** What becomes of a request that no rule of the script keeps: MCP over HTTP as it should be, so that a fault stands out. */
import {
  INVALID_REQUEST, isJsonObject, jsonText, member, PARSE_ERROR, parseMessage, type JsonObject,
} from '../../jsonrpc/message.ts';
import { checkMedia, checkMethod, checkOrigin, checkVersion, type Refusal } from './checks.ts';
import type { Exchange } from './exchange.ts';
import { MAX_LISTENING } from './bounds.ts';
import { addStream, type Owner } from './owner.ts';
import { refuse } from './refuse.ts';
import type { ServerContext } from './server-context.ts';

/** From this revision on a stream begins with an empty event that has an id. */
const PRIMING_SINCE = '2025-11-25';

/** Takes a request further. `text` is its body. */
export function proceed(context: ServerContext, exchange: Exchange, text: string): void {
  if (exchange.proceeded || !exchange.isUnsent) return;
  exchange.proceeded = true;
  const { headers } = exchange.request;
  const refusal = checkOrigin(headers, context.isLoopback) ?? checkMethod(exchange.method, context.options().listen) ??
    checkMedia(exchange.method, headers);
  if (refusal !== undefined) refuse(exchange, refusal);
  else if (exchange.method === 'POST') post(context, exchange, text);
  else {
    const owner = ownerOf(context, exchange);
    if (owner === undefined) return;
    if (exchange.method === 'DELETE') remove(context, exchange, owner);
    else listen(context, exchange, owner);
  }
}

/** The session of a request, or the process where there are no sessions; refuses the request when there is none. */
function ownerOf(context: ServerContext, exchange: Exchange, message?: JsonObject): Owner | undefined {
  const owner = context.options().sessions ? sessionOf(context, exchange, message) : context.root();
  if (owner === undefined) return undefined;
  const wrong = checkVersion(exchange.request.headers, owner.versions);
  if (wrong === undefined) return owner;
  refuse(exchange, wrong);
  return undefined;
}

function sessionOf(context: ServerContext, exchange: Exchange, message: JsonObject | undefined): Owner | undefined {
  const id = exchange.request.headers['mcp-session-id'];
  if (typeof id !== 'string') {
    refuse(exchange, { status: 400, message: 'Bad Request: Mcp-Session-Id header is required' });
    return undefined;
  }
  const session = context.sessions.get(id);
  if (session === undefined) refuseSession(context, exchange, message);
  return session;
}

function refuseSession(context: ServerContext, exchange: Exchange, message: JsonObject = {}): void {
  const dialect = context.options().unknownSession;
  const id = dialect === '200' ? member(message, 'id') : undefined;
  if (dialect === '404') exchange.respond(404, {}, undefined);
  else if (dialect === '400') refuse(exchange, { status: 400, message: 'Bad Request: No valid session ID provided' });
  else refuse(exchange, { status: id === undefined ? 404 : 200, code: -32001, message: 'Session not found' }, id);
}

function post(context: ServerContext, exchange: Exchange, text: string): void {
  const parsed = parseMessage(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    const what: Refusal = parsed.ok
      ? { status: 400, code: INVALID_REQUEST, message: 'Invalid Request: the body is no single JSON-RPC message' }
      : { status: 400, code: PARSE_ERROR, message: 'Parse error: the body is no JSON' };
    refuse(exchange, what);
    return;
  }
  const message = parsed.value;
  const isFirst = member(message, 'method') === 'initialize' && exchange.request.headers['mcp-session-id'] === undefined;
  const owner = isFirst && context.options().sessions ? begin(context, exchange) : ownerOf(context, exchange, message);
  if (owner === undefined) return;
  exchange.owner = owner;
  expect(context, exchange, message);
  context.hear(owner, { type: 'message', parsed, exchange: exchange.number });
}

function begin(context: ServerContext, exchange: Exchange): Owner | undefined {
  const session = context.openSession();
  if (session === undefined) refuse(exchange, { status: 503, message: 'Service Unavailable: too many sessions are open' });
  return session;
}

/** Prepares the exchange for what its message asks. */
function expect(context: ServerContext, exchange: Exchange, message: JsonObject): void {
  const { owner } = exchange;
  const method = member(message, 'method');
  if (method === 'initialize') {
    const params = member(message, 'params');
    const version = isJsonObject(params) ? member(params, 'protocolVersion') : undefined;
    if (typeof version === 'string') owner.versions.add(version);
  }
  if (typeof method !== 'string' || !Object.hasOwn(message, 'id')) return;
  exchange.expects = 'answer';
  exchange.form = context.options().answers;
  if (exchange.form === 'event-stream') exchange.stream = addStream(owner, exchange.number, context.budget, (number) => context.exchanges.delete(number));
  const id = member(message, 'id');
  if (typeof id === 'object' && id !== null) return;
  exchange.id = id;
  owner.waiting.set(jsonText(id), exchange);
}

/** Whether the streams of this owner begin with an event that only has an id. */
export function isPrimed(owner: Owner): boolean {
  return owner.replay !== undefined && [...owner.versions].some((version) => version >= PRIMING_SINCE);
}

function listen(context: ServerContext, exchange: Exchange, owner: Owner): void {
  if (owner.listen.connections.length >= MAX_LISTENING) {
    refuse(exchange, { status: 409, message: `Conflict: ${MAX_LISTENING} listening streams of this session are open` });
    return;
  }
  const last = exchange.request.headers['last-event-id'];
  const { retryMs } = context.options();
  exchange.owner = owner;
  exchange.form = 'event-stream';
  exchange.expects = 'stream';
  if (owner.replay === undefined || typeof last !== 'string' || last === '') {
    exchange.stream = owner.listen;
    exchange.open({ retryMs, flush: true, prime: isPrimed(owner) });
    return;
  }
  const [, number = '', seq = ''] = /^(\d{1,15})-(\d{1,15})$/.exec(last) ?? [];
  const stream = owner.streams.get(Number(number));
  if (stream === undefined || !owner.replay.knows(stream.number, Number(seq))) {
    refuse(exchange, { status: 400, message: `Bad Request: the event ${last.slice(0, 100)} is not known, or not any more` });
    return;
  }
  exchange.stream = stream;
  exchange.open({ retryMs, flush: true, after: Number(seq) });
}

function remove(context: ServerContext, exchange: Exchange, owner: Owner): void {
  exchange.owner = owner;
  context.hear(owner, { type: 'input-end', exchange: exchange.number });
}

/** Replays over Streamable HTTP on 127.0.0.1: one session is one life of the trace. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../carriers/streamable-http/body.ts';
import { MAX_BODY_BYTES, MAX_KEPT_MESSAGES, MAX_SESSIONS } from '../../carriers/streamable-http/bounds.ts';
import { checkOrigin } from '../../carriers/streamable-http/checks.ts';
import { openListener } from '../../carriers/streamable-http/listener.ts';
import { eventText } from '../../carriers/streamable-http/sse.ts';
import { errorText, isJsonObject, member, parseMessage, type Parsed } from '../../jsonrpc/message.ts';
import type { Conversations } from '../../trace/conversation/load.ts';
import { createReplayer, type Replayer, type ReplayOutput } from './replayer.ts';

/** A replay that listens. */
export interface HttpReplay {
  readonly url: string;
  /** What could not be answered, in all sessions. */
  complaints(): string[];
  close(): void;
}

/** Hears what belongs to the process and not to a session. */
export type ProcessOutput = Pick<ReplayOutput<never>, 'stderr' | 'end' | 'complain'>;

/** JSON-RPC: an error of the server's own. */
const SERVER_ERROR = -32000;
/** What a reader may leave unread on one stream, in bytes, before the stream is cut. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** A response that is on its way; `undefined` for what belongs to none. */
type Exchange = Answering | undefined;

interface Answering {
  readonly response: ServerResponse;
  /** How many answers it still owes. */
  owed: number;
}

interface Session {
  readonly replayer: Replayer<Exchange>;
  listening: ServerResponse | undefined;
  readonly unheard: string[];
}

/** Starts to listen; port 0 takes a free one. @throws Error of the operating system */
export async function replayHttp(conversations: Conversations, port: number, output: ProcessOutput): Promise<HttpReplay> {
  const sessions = new Map<string, Session>();
  const ended: string[] = [];
  let count = 0;

  const open = (): Session => {
    count += 1;
    const session: Session = {
      listening: undefined, unheard: [],
      replayer: createReplayer<Exchange>(conversations, count, {
        ...output,
        send: (text, exchange, answers) => deliver(session, text, exchange, answers),
        raw: (text, _ended, exchange) => deliver(session, text, exchange, false),
      }),
    };
    session.replayer.start(undefined);
    return session;
  };
  const shared = conversations.stateless ? open() : undefined;

  const post = (request: IncomingMessage, response: ServerResponse, parsed: Parsed): void => {
    const messages: readonly unknown[] = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [parsed.ok ? parsed.value : undefined];
    const opens = messages.some((each) => isJsonObject(each) && member(each, 'method') === 'initialize');
    let session = shared ?? sessionOf(request);
    if (session === undefined && opens && sessions.size < MAX_SESSIONS) {
      session = open();
      const id = randomUUID();
      sessions.set(id, session);
      response.setHeader('mcp-session-id', id);
    }
    if (session === undefined) {
      unknown(request, response);
      return;
    }
    const owed = messages.filter((each) => !isJsonObject(each) || (Object.hasOwn(each, 'id') && typeof member(each, 'method') === 'string')).length;
    if (owed === 0) response.writeHead(202).end();
    session.replayer.message(parsed, owed === 0 ? undefined : { response, owed });
  };
  const sessionOf = (request: IncomingMessage): Session | undefined => {
    const id = request.headers['mcp-session-id'];
    return typeof id === 'string' ? sessions.get(id) : undefined;
  };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = checkOrigin(request.headers, true);
    if (refusal !== undefined) refuse(response, refusal.status, refusal.message);
    else if (request.method === 'POST') {
      readBody(request, MAX_BODY_BYTES, (body) => {
        if (body.kind === 'whole') post(request, response, parseMessage(body.text));
        else if (body.kind === 'too-large') refuse(response, 413, `a body has at most ${MAX_BODY_BYTES} bytes`);
      });
    } else if (request.method === 'GET') {
      const session = shared ?? sessionOf(request);
      if (session === undefined) unknown(request, response);
      else listen(session, response);
    } else if (request.method === 'DELETE') {
      const session = sessionOf(request);
      if (session === undefined) unknown(request, response);
      else {
        session.replayer.inputEnd(undefined);
        session.listening?.end();
        ended.push(...session.replayer.complaints().slice(0, Math.max(0, MAX_KEPT_MESSAGES - ended.length)));
        sessions.delete(String(request.headers['mcp-session-id']));
        response.writeHead(200).end();
      }
    } else refuse(response, 405, 'Method not allowed');
  };
  const listener = await openListener('127.0.0.1', port, handle);
  return {
    url: `http://127.0.0.1:${listener.port}/mcp`,
    complaints: () => [...ended, ...[...sessions.values(), ...(shared === undefined ? [] : [shared])].flatMap(({ replayer }) => replayer.complaints())],
    close: () => listener.down(),
  };
}

/** An answer alone goes as JSON; as soon as something comes before it, or several are owed, as an event stream. */
function deliver(session: Session, text: string, exchange: Exchange, answers: boolean): void {
  if (exchange === undefined || exchange.owed === 0) {
    if (session.listening !== undefined) event(session.listening, text);
    else if (session.unheard.length < MAX_KEPT_MESSAGES) session.unheard.push(text);
    return;
  }
  const { response } = exchange;
  if (answers && exchange.owed === 1 && !response.headersSent) {
    exchange.owed = 0;
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    return;
  }
  openStream(response);
  event(response, text);
  if (!answers) return;
  exchange.owed -= 1;
  if (exchange.owed === 0) response.end();
}

function listen(session: Session, response: ServerResponse): void {
  openStream(response);
  session.listening = response;
  response.on('close', () => {
    if (session.listening === response) session.listening = undefined;
  });
  for (const text of session.unheard.splice(0)) event(response, text);
}

function openStream(response: ServerResponse): void {
  if (response.headersSent) return;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
}

function event(response: ServerResponse, text: string): void {
  if (response.destroyed) return;
  // Line ends within JSON are escaped; in what is no JSON they would end the event.
  for (const line of text.split(/\r\n|[\r\n]/)) response.write(eventText(line, { rawSeparators: true }, {}));
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
}

function unknown(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['mcp-session-id'] === undefined) refuse(response, 400, 'Bad Request: no session id');
  else refuse(response, 404, 'Session not found');
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(errorText(null, SERVER_ERROR, message));
}

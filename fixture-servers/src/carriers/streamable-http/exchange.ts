/** One request over HTTP and its response, as the engine sees it: an exchange with a number. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FrameOptions } from '../../scenario/schema.ts';
import type { OpenStreamOptions } from '../../engine/events.ts';
import { frameBody } from '../frame-bytes.ts';
import { createOutput, type Output, type OutputOptions } from '../output.ts';
import type { EventStream, StreamConnection } from './event-stream.ts';
import type { Owner } from './owner.ts';
import { completed, lowerCased } from './response-fields.ts';

/** In which form messages go out. */
export type Form = 'event-stream' | 'json';

/** What the trace says of a response. */
export interface ResponseNote {
  readonly status?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The id of the event, empty when it has none. */
  readonly event?: string;
  readonly ended?: 'complete' | 'cut';
}

/** What an exchange needs. */
export interface ExchangeOptions {
  readonly number: number;
  readonly owner: Owner;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Writes a frame of the trace. */
  readonly note: (exchange: Exchange, text: string, bytes: number, http: ResponseNote) => void;
  readonly trace: OutputOptions['trace'];
  /** Header fields that a normal answer has beside its type. */
  readonly headers: (exchange: Exchange) => Readonly<Record<string, string>>;
}

/** One request and its response. */
export interface Exchange {
  readonly number: number;
  readonly method: string;
  readonly request: IncomingMessage;
  /** Whose it is: of a session, or of the process until a session is known. */
  owner: Owner;
  /** Whether the script has let it go on. */
  proceeded: boolean;
  /** What the client waits for: an answer, an acknowledgement, or a stream. */
  expects: 'answer' | 'nothing' | 'stream';
  /** The id of the request that it carries. */
  id: unknown;
  /** In which form its answer goes out. */
  form: Form;
  /** The stream of its answer, or the listening stream that it carries. */
  stream: EventStream | undefined;
  /** Whether it was answered. */
  answered: boolean;
  /** Whether the script is through with it. */
  settled: boolean;
  /** Whether it was decided that it is not answered. */
  dropped: boolean;
  /** Whether nothing of the response was sent. */
  readonly isUnsent: boolean;
  /** Whether the response is over, by whoever's hand. */
  readonly isOver: boolean;
  readonly output: Output | undefined;
  /** Sends the head, as an event stream or JSON. `flush`: at once, not with what follows. */
  open(options: OpenStreamOptions & { readonly flush?: boolean; readonly after?: number; readonly prime?: boolean }): void;
  /** Sends a message. */
  send(text: string, frame: FrameOptions | undefined): void;
  /** Sends bytes, into the body or past HTTP into the connection. */
  raw(bytes: Uint8Array, to: 'body' | 'connection'): void;
  /** Answers with anything. @returns false when the head was sent already. */
  respond(status: number, headers: Readonly<Record<string, string>>, body: string | undefined): boolean;
  /** Ends the response: as it should end, in the middle, or with a reset of its connection. */
  end(how: 'close' | 'cut' | 'reset'): void;
  /** The connection is gone. */
  closed(): void;
}

/** Makes an exchange for a request that has arrived. */
export function createExchange(options: ExchangeOptions): Exchange {
  const { number, request, response } = options;
  const { socket } = request;
  let output: Output | undefined;
  let connection: StreamConnection | undefined;
  let head: ResponseNote | undefined;
  let isOver = false;
  let isRaw = false;

  const note = (text: string, bytes: number, http: ResponseNote): void => options.note(exchange, text, bytes, http);
  const noteEnd = (ended: 'complete' | 'cut'): void => {
    if (isOver) return;
    isOver = true;
    if (exchange.form === 'event-stream' || ended === 'cut') note('', 0, { ended });
  };
  /** A script may ask for fields that contradict each other; then there is no response. */
  const writeHead = (status: number, headers: Readonly<Record<string, string>>): ResponseNote => {
    const fields: OutgoingHttpHeaders = { ...headers };
    head = { status, responseHeaders: headers };
    try {
      response.writeHead(status, fields);
    } catch {
      head = {};
      socket.destroy();
    }
    return head;
  };
  const finish = (): void => {
    noteEnd(socket.destroyed ? 'cut' : 'complete');
    response.end();
  };
  const endWhenOut = (): void => {
    // What comes later waits for the next connection, or is lost: this one takes no more.
    if (connection !== undefined) exchange.stream?.detach(connection);
    if (output === undefined || output.isIdle()) finish();
    else void output.drained().then(finish);
  };

  const openEvents = (stream: EventStream, open: Parameters<Exchange['open']>[0]): void => {
    note('', 0, writeHead(200, {
      'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', ...options.headers(exchange), ...lowerCased(open.headers),
    }));
    let lastId = '';
    const made = createOutput(response, {
      encode(text, frame) {
        const { wire, id } = stream.encode(own, text, frame);
        lastId = id;
        return wire;
      },
      encodesCopies: true,
      note: (wire, bytes, text) => note(text ?? wire, bytes, { event: text === undefined ? '' : lastId }),
      trace: options.trace,
      onLost: (text, frame, copies) => stream.lost(text, frame, copies),
    });
    const own: StreamConnection = { output: made, retryMs: open.retryMs, end: endWhenOut };
    output = made;
    connection = own;
    if (open.prime === true) {
      const { wire, id } = stream.prime(own);
      note('', Buffer.byteLength(wire), { event: id });
      response.write(wire);
    } else if (open.flush === true) response.flushHeaders();
    stream.attach(own, open.after);
  };
  const openJson = (open: Parameters<Exchange['open']>[0]): void => {
    writeHead(200, { 'content-type': 'application/json', ...options.headers(exchange), ...lowerCased(open.headers) });
    output = createOutput(response, {
      encode: (text, frame) => `${frame?.bom === true ? '\uFEFF' : ''}${frameBody(text, frame)}`,
      note: (wire, bytes) => note(wire, bytes, head ?? {}),
      trace: options.trace,
    });
    if (open.flush === true) response.flushHeaders();
  };

  const exchange: Exchange = {
    number,
    method: request.method ?? '',
    request,
    owner: options.owner,
    proceeded: false,
    expects: 'nothing',
    id: undefined,
    form: 'json',
    stream: undefined,
    answered: false,
    settled: false,
    dropped: false,
    get isUnsent() {
      return head === undefined && !isRaw && !isOver;
    },
    get isOver() {
      return isOver;
    },
    get output() {
      return output;
    },
    open(open) {
      if (!exchange.isUnsent) return;
      if (exchange.form === 'event-stream' && exchange.stream !== undefined) openEvents(exchange.stream, open);
      else openJson(open);
    },
    send(text, frame) {
      if (exchange.stream === undefined) output?.send(text, frame);
      else exchange.stream.send(text, frame);
    },
    raw(bytes, to) {
      if (isOver) return;
      if (to === 'connection') {
        isRaw = true;
        const write = (): void => {
          note(Buffer.from(bytes).toString('utf8'), bytes.length, { event: '' });
          socket.write(bytes);
        };
        if (output === undefined || output.isIdle()) write();
        else void output.drained().then(write);
      } else output?.raw(bytes);
    },
    respond(status, headers, body) {
      if (!exchange.isUnsent) return false;
      const text = body ?? '';
      const bytes = Buffer.byteLength(text);
      note(text, bytes, writeHead(status, completed(status, lowerCased(headers), bytes)));
      isOver = true;
      response.end(text);
      return true;
    },
    end(how) {
      if (isOver && how === 'close') return;
      if (how === 'close' && !isRaw) {
        endWhenOut();
        return;
      }
      if (connection !== undefined) exchange.stream?.detach(connection);
      const stop = (): void => {
        noteEnd('cut');
        if (how === 'reset') socket.resetAndDestroy();
        else if (isRaw && how === 'close') socket.end();
        else socket.destroy();
      };
      if (output === undefined) stop();
      else void output.flushed().then(stop);
    },
    closed() {
      if (!response.writableFinished) noteEnd('cut');
      output?.break();
      if (connection !== undefined) exchange.stream?.detach(connection);
    },
  };
  return exchange;
}

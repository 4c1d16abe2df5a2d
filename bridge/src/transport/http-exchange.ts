/** One request over HTTP and its answer, in whichever way it comes; a request is sent once (B04, B05, B10). */
import { setTimeout as pause } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { MAX_TIMER_MS } from '../connection-limits.ts';
import { BridgeError, describeError } from '../errors.ts';
import { ignore } from './ignore.ts';
import { deferred } from './deferred.ts';
import { bodyOf, discard, readBounded } from './http-body.ts';
import { mediaType, type HttpEndpoint } from './http-endpoint.ts';
import { followStream, type StreamLimits } from './follow-stream.ts';
import { HttpFailure } from './http-failure.ts';
import { holdsMoreValues, tooManyValues } from './message-values.ts';
import { isObject } from './narrow.ts';

/** What exchanges share. */
export interface ExchangeContext {
  readonly endpoint: HttpEndpoint;
  readonly limits: StreamLimits & { readonly answerDrainMs: number };
  readonly now: () => number;
  /** A message of the server. */
  readonly deliver: (message: JSONRPCMessage) => void;
  /** A failure on the way that is got over. */
  readonly onTrouble: (failure: BridgeError) => void;
  /** Whether an answer may still come by the stream for notices. */
  readonly hasNoticeStream: () => boolean;
  /** Something that is no message. */
  readonly onNoise: (what: string) => void;
}

/** See the module's comment. */
export class HttpExchange {
  readonly #context: ExchangeContext;
  readonly #id: number;
  readonly #abort = new AbortController();
  readonly #heard = deferred<void>();
  readonly #givenUp = deferred<void>();
  #drain: NodeJS.Timeout | undefined;
  #isAnswered = false;
  /** Whether nothing more is expected of its stream. */
  #isOver = false;

  constructor(context: ExchangeContext, id: number) {
    this.#context = context;
    this.#id = id;
  }

  /** Resolves when the server accepted the request, or {@link run} has settled. */
  get heard(): Promise<void> {
    return this.#heard.promise;
  }

  /**
   * Sends the request and reads until it is answered or given up.
   * @param isOnce whether it is a call, which no redirect sends again (B04)
   * @param onAccepted gets the answer's headers, before anything of its body is delivered
   * @throws BridgeError when no answer can come any more; `executed` says whether the server can have run it
   */
  async run(body: string, isOnce: boolean, onAccepted: (response: Response) => void): Promise<void> {
    try {
      // Reading may never settle: the fetch of Node 20 forgets a reader whose signal aborts between the last byte and the end.
      await Promise.race([this.#work(body, isOnce, onAccepted), this.#givenUp.promise]);
    } catch (error) {
      // What becomes of the rest is no news.
      if (!this.#isAnswered) throw error;
    } finally {
      this.#heard.resolve();
      this.#isOver = true;
      clearTimeout(this.#drain);
    }
  }

  /**
   * The answer came, by whichever stream, or nobody waits for it any more. The rest of its own is read for a moment, so that
   * the connection can be used again; then it is given up.
   */
  answered(): void {
    this.#isAnswered = true;
    if (!this.#isOver) this.#drain ??= setTimeout(() => this.giveUp(), this.#context.limits.answerDrainMs);
  }

  /** Ends its stream, and {@link run}; nobody waits for the answer any more. */
  giveUp(): void {
    clearTimeout(this.#drain);
    this.#abort.abort();
    this.#givenUp.resolve();
  }

  async #work(body: string, isOnce: boolean, onAccepted: (response: Response) => void): Promise<void> {
    const { endpoint } = this.#context;
    const response = await endpoint.send({ method: 'POST', body, isOnce, signal: this.#abort.signal });
    if (this.#abort.signal.aborted) return discard(response);
    if (!response.ok) throw await endpoint.refusal(response);
    onAccepted(response);
    this.#heard.resolve();
    await this.#read(response);
  }

  async #read(response: Response): Promise<void> {
    switch (mediaType(response)) {
      case 'text/event-stream':
        return this.#follow(response);
      case 'application/json':
        return this.#readJson(response);
      default:
    }
    if (response.status !== 202 && response.status !== 204) throw await this.#context.endpoint.strangeness(response);
    discard(response);
    if (!this.#context.hasNoticeStream()) throw unanswered(`status ${response.status} promises no answer`);
    await this.#wait();
  }

  async #readJson(response: Response): Promise<void> {
    const { maxMessageBytes, maxMessageValues } = this.#context.limits;
    let text: string;
    try {
      text = await readBounded(response, maxMessageBytes);
    } catch (error) {
      if (error instanceof BridgeError) throw error;
      throw unanswered(`the answer broke off (${describeError(error)})`, error);
    }
    // A custom fetch may read on.
    if (this.#abort.signal.aborted) return;
    if (holdsMoreValues(text, maxMessageValues)) throw new BridgeError('limit-exceeded', tooManyValues(maxMessageValues), { executed: 'yes' });
    this.#receive(text);
    if (!this.#isAnswered) throw unanswered('what came as JSON is no answer to this request');
  }

  async #follow(response: Response): Promise<void> {
    const { endpoint, limits, now, onTrouble } = this.#context;
    const { signal } = this.#abort;
    try {
      await followStream({
        first: bodyOf(response),
        open: async (lastEventId) => {
          const next = await endpoint.send({ method: 'GET', lastEventId, signal });
          if (!next.ok) throw await endpoint.refusal(next);
          if (mediaType(next) !== 'text/event-stream') throw await endpoint.strangeness(next);
          return bodyOf(next);
        },
        mayBeginAnew: false,
        onData: (data) => this.#receive(data),
        onOpened: () => {},
        onTrouble,
        isDone: () => this.#isAnswered,
        signal,
        limits,
        now,
      });
    } catch (error) {
      // The request itself was accepted: a refused attempt to resume says nothing of it.
      if (!(error instanceof HttpFailure) || error.executed === 'unknown') throw error;
      throw new HttpFailure(`the answer's event stream was lost and cannot be resumed: ${error.message}`, { cause: error, executed: 'unknown', evidence: 'doubt', httpStatus: error.httpStatus });
    }
  }

  /** Until it is answered by another stream, or given up. */
  async #wait(): Promise<void> {
    await pause(MAX_TIMER_MS, undefined, { signal: this.#abort.signal, ref: false }).catch(ignore);
  }

  /** One JSON text of the answer: a message, or a batch of them as older revisions send it. */
  #receive(text: string): void {
    const { deliver, onNoise } = this.#context;
    for (const message of parseMessages(text, onNoise)) {
      // An error without an id, in answer to this request, is about this request.
      const isOurs = 'error' in message && (message['id'] === undefined || message['id'] === null);
      deliver(asMessage(isOurs ? { ...message, id: this.#id } : message));
    }
  }
}

/** The messages in a JSON text; what is none is reported and left out. */
export function parseMessages(text: string, onNoise: (what: string) => void): readonly Record<string, unknown>[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    onNoise(`the server sent something that is no JSON (${describeError(error)})`);
    return [];
  }
  const all: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const messages = all.filter(isObject);
  if (messages.length < all.length) onNoise('the server sent JSON that is no message');
  return messages;
}

/** The library's name for it; the session looks at every member itself. */
export function asMessage(message: Record<string, unknown>): JSONRPCMessage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but the session's own reading sees it
  return message as unknown as JSONRPCMessage;
}

function unanswered(why: string, cause?: unknown): HttpFailure {
  return new HttpFailure(`the server gave no answer: ${why}`, { cause, executed: 'unknown', evidence: cause === undefined ? 'none' : 'doubt' });
}

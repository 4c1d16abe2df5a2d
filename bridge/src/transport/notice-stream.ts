/** The stream by which a server sends notices outside of answers: a GET, where the server offers one (B10, R48). */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describeError } from '../errors.ts';
import { followStream, type StreamLimits } from './follow-stream.ts';
import { bodyOf, discard } from './http-body.ts';
import { mediaType, type HttpEndpoint } from './http-endpoint.ts';
import { asMessage, parseMessages } from './http-exchange.ts';
import { HttpFailure } from './http-failure.ts';

/** What a notice stream is made of. */
export interface NoticeStreamOptions {
  readonly endpoint: HttpEndpoint;
  readonly limits: StreamLimits;
  readonly now: () => number;
  readonly deliver: (message: JSONRPCMessage) => void;
  /** Notices may have been missed: the stream was away and could not be resumed, or came late. */
  readonly onGap: () => void;
  /** The stream could not be had, this time; it had been there, or the network failed. */
  readonly onTrouble: (failure: unknown) => void;
  /** Something that is no message. */
  readonly onNoise: (what: string) => void;
  readonly report: (level: 'debug' | 'warn', message: string) => void;
}

/** See the module's comment. */
export class NoticeStream {
  readonly #options: NoticeStreamOptions;
  readonly #end = new AbortController();
  /** The request that is under way: one signal for all of them would gather listeners. */
  #request = new AbortController();
  #isOpen = false;
  #wasOpen = false;

  constructor(options: NoticeStreamOptions) {
    this.#options = options;
  }

  /** Whether it is there, as far as one can tell. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Ends it for good. */
  stop(): void {
    this.#end.abort();
    this.#request.abort();
  }

  /** Opens and follows it until it is stopped, or the server has none. Never rejects. */
  async run(): Promise<void> {
    const { limits, now, deliver, onGap, onTrouble, onNoise } = this.#options;
    try {
      await followStream({
        open: (lastEventId) => this.#open(lastEventId),
        mayBeginAnew: true,
        onData: (data) => {
          for (const message of parseMessages(data, onNoise)) deliver(asMessage(message));
        },
        onOpened: (isGap) => {
          this.#isOpen = true;
          this.#wasOpen = true;
          if (isGap) onGap();
        },
        onTrouble,
        isDone: () => {
          this.#isOpen = false;
          return false;
        },
        signal: this.#end.signal,
        limits,
        now,
      });
    } catch (error) {
      this.#ended(error);
    }
  }

  async #open(lastEventId: string | undefined): Promise<ReadableStream<Uint8Array>> {
    const { endpoint } = this.#options;
    this.#request = new AbortController();
    const response = await endpoint.send({ method: 'GET', lastEventId, signal: this.#request.signal });
    if (!response.ok) throw await endpoint.refusal(response);
    if (mediaType(response) === 'text/event-stream') return bodyOf(response);
    discard(response);
    throw new HttpFailure(`status ${response.status} without an event stream`, { evidence: 'none' });
  }

  #ended(error: unknown): void {
    const { onTrouble, report } = this.#options;
    this.#isOpen = false;
    const why = describeError(error);
    if (!this.#wasOpen && error instanceof HttpFailure && !error.isPassing) {
      report('debug', `the server offers no event stream (${why}); list changes are seen at the next connection`);
      return;
    }
    report('warn', `the event stream of the server cannot be had (${why}); list changes are seen at the next connection`);
    onTrouble(error);
  }
}

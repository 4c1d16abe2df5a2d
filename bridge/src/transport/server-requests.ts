/** What a server asks of its client: `ping` is answered and everything else refused, at once (B21), without growing (B01). */
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Answers to the server that are sent at the same time; over HTTP each one is a request of its own. */
const CONCURRENT_REPLIES = 16;
/** Longest id of a server's request, in UTF-16 units; nobody needs a longer one and it would be held until it is sent. */
const LONGEST_ID = 1_000;

/** Bounds and outlets. */
export interface ServerRequestsOptions {
  readonly send: (reply: JSONRPCMessage) => Promise<void>;
  /** See `ConnectionLimits.maxWaitingReplies`. */
  readonly maxWaitingReplies: number;
  readonly report: (message: string) => void;
}

/** See the module's comment. */
export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  /** In order; taking the first out of a long array would move all the others. */
  readonly #waiting = new Set<JSONRPCMessage>();
  #inFlight = 0;

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
  }

  /** Answers a request of the server. More than may wait are dropped: a server that does not read gets no memory (B01). */
  answer(method: string, id: unknown): void {
    if (typeof id !== 'number' && (typeof id !== 'string' || id.length > LONGEST_ID)) return;
    if (this.#waiting.size >= this.#options.maxWaitingReplies) {
      this.#options.report(`a request of the server (${method.slice(0, 100)}) was dropped: it does not read the answers`);
      return;
    }
    this.#waiting.add(
      method === 'ping'
        ? { jsonrpc: '2.0', id, result: {} }
        : { jsonrpc: '2.0', id, error: { code: ErrorCode.MethodNotFound, message: 'Method not found' } },
    );
    if (this.#inFlight < CONCURRENT_REPLIES) void this.#sendAll();
  }

  /** The connection ended: what waits is dropped. */
  end(): void {
    this.#waiting.clear();
  }

  async #sendAll(): Promise<void> {
    this.#inFlight += 1;
    // What is added meanwhile comes too: a set is gone through to its end as it is then.
    for (const reply of this.#waiting) {
      this.#waiting.delete(reply);
      try {
        await this.#options.send(reply);
      } catch (error) {
        this.#options.report(`an answer could not be sent: ${String(error)}`);
      }
    }
    this.#inFlight -= 1;
  }
}

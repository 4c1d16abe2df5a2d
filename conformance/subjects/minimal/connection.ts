/**
 * The protocol over one carrier: requests with ids that are never used again, answers matched strictly (WIRE-005,
 * WIRE-006), everything settled when the server goes (CALL-004).
 */
import type { Carrier, Hearing } from './carrier.ts';
import { isObject, type JsonObject } from './json.ts';

/** Revisions of the protocol that are understood; the first is offered. */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Why a request came to no result. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: 'refused' | 'gone' | 'timeout' | 'aborted';

  constructor(code: RequestError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Bounds of one request. */
export interface RequestLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What a connection tells. */
export interface ConnectionEvents {
  onNotification(method: string): void;
  onNoise(line: string): void;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RequestError) => void;
}

/** One connection. */
export class Connection {
  /** Resolves with the reason when it is over. */
  readonly gone: Promise<string>;
  readonly #carrier: Carrier;
  readonly #events: ConnectionEvents;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #ready = false;
  #over: string | undefined;

  /** @param open opens the way to the server */
  constructor(open: (hearing: Hearing) => Carrier, events: ConnectionEvents) {
    this.#events = events;
    this.#carrier = open({
      onMessage: (message) => this.#take(message),
      onNoise: (text) => events.onNoise(text),
      onLost: (id, reason) => this.#settle(id)?.reject(new RequestError('gone', `no answer will come: ${reason}`)),
    });
    this.gone = this.#carrier.gone.then((reason) => {
      this.#over = reason;
      for (const pending of this.#pending.values()) pending.reject(new RequestError('gone', `the server is gone: ${this.#over}`));
      this.#pending.clear();
      return this.#over;
    });
  }

  /** Whether the handshake is over: nothing may be asked for before (WIRE-026). */
  get isReady(): boolean {
    return this.#ready;
  }

  /** Shakes hands. @throws RequestError, or Error when the server speaks a revision that nobody here knows */
  async initialize(timeoutMs: number): Promise<void> {
    const clientInfo = { name: 'minimal-bridge', version: '1.0.0' };
    const result = await this.request('initialize', { protocolVersion: REVISIONS[0], capabilities: {}, clientInfo }, { timeoutMs });
    const revision = isObject(result) ? result['protocolVersion'] : undefined;
    if (typeof revision !== 'string' || !REVISIONS.includes(revision)) throw new Error(`the server speaks the unknown revision ${JSON.stringify(revision)}`);
    this.#carrier.agreed(revision);
    // Awaited, since over HTTP what is sent next might come first.
    await this.#carrier.send({ method: 'notifications/initialized' });
    this.#ready = true;
  }

  /** Asks. Settles at the latest when the time is up, the signal fires or the server is gone. @throws RequestError */
  async request(method: string, params: unknown, { timeoutMs, signal }: RequestLimits): Promise<unknown> {
    if (this.#over !== undefined) throw new RequestError('gone', `the server is gone: ${this.#over}`);
    if (signal?.aborted === true) throw new RequestError('aborted', 'the caller gave the call up');
    const id = (this.#lastId += 1);
    const stop = new AbortController();
    const answered = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    const giveUp = (code: 'timeout' | 'aborted', why: string): void => {
      const pending = this.#settle(id);
      // An answer may be in hand already.
      if (pending === undefined) return;
      void this.#carrier.send({ method: 'notifications/cancelled', params: { requestId: id, reason: why } });
      this.#carrier.forget(id);
      pending.reject(new RequestError(code, why));
    };
    const timer = setTimeout(() => giveUp('timeout', `no answer to ${method} came within ${timeoutMs} ms`), timeoutMs);
    signal?.addEventListener('abort', () => giveUp('aborted', 'the caller gave the call up'), { signal: stop.signal });
    void this.#carrier.send({ id, method, params });
    try {
      return await answered;
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  /** Ends it. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    await this.#carrier.end();
    await this.gone;
  }

  /** What waits for this answer, and waits no more. */
  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #take(message: JsonObject): void {
    const { id, method, error } = message;
    if (typeof method === 'string') {
      if (id === undefined) this.#events.onNotification(method);
      else void this.#carrier.send(method === 'ping' ? { id, result: {} } : { id, error: { code: -32601, message: `a client of tools knows no ${method.slice(0, 80)}` } });
      return;
    }
    // Only a number that is waited for is an answer; "7" is not 7.
    const pending = typeof id === 'number' ? this.#settle(id) : undefined;
    if (pending === undefined) return;
    if (error === undefined) pending.resolve(message['result']);
    else pending.reject(new RequestError('refused', isObject(error) && typeof error['message'] === 'string' ? error['message'] : 'the server refused without a word'));
  }
}

/**
 * The protocol over one process: requests with ids that are never used again, answers matched strictly (WIRE-005,
 * WIRE-006), everything settled when the process goes (CALL-004).
 */
import { startChild, type Child, type StdioSpec } from './child.ts';
import { isObject, messageOf, type JsonObject } from './json.ts';
import { Lines } from './lines.ts';

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
  readonly #child: Child;
  readonly #events: ConnectionEvents;
  readonly #lines = new Lines();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #over: string | undefined;
  #broken: string | undefined;

  constructor(spec: StdioSpec, events: ConnectionEvents) {
    this.#events = events;
    this.#child = startChild(spec, (chunk) => this.#read(chunk));
    this.gone = this.#child.gone.then((reason) => {
      this.#over = this.#broken ?? reason;
      for (const pending of this.#pending.values()) pending.reject(new RequestError('gone', `the server is gone: ${this.#over}`));
      this.#pending.clear();
      return this.#over;
    });
  }

  /** Shakes hands. @throws RequestError, or Error when the server speaks a revision that nobody here knows */
  async initialize(timeoutMs: number): Promise<void> {
    const clientInfo = { name: 'minimal-bridge', version: '1.0.0' };
    const result = await this.request('initialize', { protocolVersion: REVISIONS[0], capabilities: {}, clientInfo }, { timeoutMs });
    const revision = isObject(result) ? result['protocolVersion'] : undefined;
    if (typeof revision !== 'string' || !REVISIONS.includes(revision)) throw new Error(`the server speaks the unknown revision ${JSON.stringify(revision)}`);
    this.#write({ method: 'notifications/initialized' });
  }

  /** Asks. Settles at the latest when the time is up, the signal fires or the process is gone. @throws RequestError */
  async request(method: string, params: unknown, { timeoutMs, signal }: RequestLimits): Promise<unknown> {
    if (this.#over !== undefined) throw new RequestError('gone', `the server is gone: ${this.#over}`);
    if (signal?.aborted === true) throw new RequestError('aborted', 'the caller gave the call up');
    const id = (this.#lastId += 1);
    const stop = new AbortController();
    const answered = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    const giveUp = (code: 'timeout' | 'aborted', why: string): void => {
      const pending = this.#pending.get(id);
      // An answer may be in hand already.
      if (pending === undefined) return;
      this.#pending.delete(id);
      this.#write({ method: 'notifications/cancelled', params: { requestId: id, reason: why } });
      pending.reject(new RequestError(code, why));
    };
    const timer = setTimeout(() => giveUp('timeout', `no answer to ${method} came within ${timeoutMs} ms`), timeoutMs);
    signal?.addEventListener('abort', () => giveUp('aborted', 'the caller gave the call up'), { signal: stop.signal });
    this.#write({ id, method, params });
    try {
      return await answered;
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  /** Ends the process and all it started. */
  async close(): Promise<void> {
    await this.#child.end();
    await this.gone;
  }

  #write(message: JsonObject): void {
    this.#child.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#take(line);
    } catch (error) {
      // What follows cannot be told apart into messages any more.
      this.#broken = messageOf(error);
      this.#child.kill();
    }
  }

  #take(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line.startsWith('\uFEFF') ? line.slice(1) : line);
    } catch {
      message = undefined;
    }
    if (!isObject(message)) {
      if (line.trim() !== '') this.#events.onNoise(line);
      return;
    }
    const { id, method, error } = message;
    if (typeof method === 'string') {
      if (id === undefined) this.#events.onNotification(method);
      else this.#write(method === 'ping' ? { id, result: {} } : { id, error: { code: -32601, message: `a client of tools knows no ${method.slice(0, 80)}` } });
      return;
    }
    // Only a number that is waited for is an answer; "7" is not 7.
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (pending === undefined || typeof id !== 'number') return;
    this.#pending.delete(id);
    if (error === undefined) pending.resolve(message['result']);
    else pending.reject(new RequestError('refused', isObject(error) && typeof error['message'] === 'string' ? error['message'] : 'the server refused without a word'));
  }
}

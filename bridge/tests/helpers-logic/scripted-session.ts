/**
 * A server in memory behind the `Session` interface: for tests of the bridge's logic, which is the same whatever carries
 * the messages. What crosses a wire is tested on real processes elsewhere.
 */
import type { OpenedSession, OpenSessionOptions } from '../../src/client-session.ts';
import { BridgeError } from '../../src/errors.ts';
import type { JsonObject } from '../../src/host-services.ts';
import type { CloseReason, RawToolPage, RequestLimits, SessionListeners } from '../../src/session.ts';

/** One `tools/call` that arrived. */
export interface ReceivedCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly limits: RequestLimits;
}

/** A promise with its ends. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a promise that is settled from outside. */
export function defer<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

/** A tool as a server lists it. */
export function listedTool(name: string, more: JsonObject = {}): JsonObject {
  return { name, description: `does ${name}`, inputSchema: { type: 'object', properties: {} }, ...more };
}

/** A result with one text block. */
export function textResult(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

/** A server that does what the test says. */
export class MemoryServer {
  tools: unknown[];
  pageSize = Number.POSITIVE_INFINITY;
  /** Fails the next attempts to connect. */
  connectError: unknown;
  /** Fails the next listings. */
  listError: unknown;
  /** Held back by `holdListings`, page requests wait for it. */
  #gate: Deferred<void> | undefined;
  #gateReached: Deferred<void> | undefined;
  readonly calls: ReceivedCall[] = [];
  readonly sessions: MemorySession[] = [];
  /** Listings begun, which is first pages asked for. */
  listings = 0;
  /** Whether a held listing is answered although its session ended or was given up: an answer that was under way. */
  answersLate = false;
  onCall: (call: ReceivedCall) => Promise<JsonObject> | JsonObject = ({ name }) => textResult(`called ${name}`);

  constructor(...tools: unknown[]) {
    this.tools = tools;
  }

  /** The replacement of the stage `openSession`. */
  readonly open = async (options: OpenSessionOptions): Promise<OpenedSession> => {
    if (this.connectError !== undefined) throw this.connectError;
    const session = new MemorySession(this, options.listeners);
    this.sessions.push(session);
    return session;
  };

  /** Holds every listing at its next page. `reached` resolves when one waits. */
  holdListings(): { readonly reached: Promise<void>; readonly release: () => void } {
    const gate = defer<void>();
    const reached = defer<void>();
    this.#gate = gate;
    this.#gateReached = reached;
    return {
      reached: reached.promise,
      release: () => {
        this.#gate = undefined;
        gate.resolve();
      },
    };
  }

  /** The session opened last. */
  get session(): MemorySession {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('no session was opened');
    return session;
  }

  async page(cursor: string | undefined, signal: AbortSignal | undefined): Promise<RawToolPage> {
    if (cursor === undefined) this.listings += 1;
    const gate = this.#gate;
    if (gate !== undefined) {
      this.#gateReached?.resolve();
      const aborted = defer<void>();
      signal?.addEventListener('abort', () => aborted.resolve(), { once: true });
      await (this.answersLate ? gate.promise : Promise.race([gate.promise, aborted.promise, this.session.closed]));
      if (!this.answersLate && signal?.aborted === true) throw new BridgeError('call-aborted', 'the listing was given up');
      if (!this.answersLate && !this.session.isOpen) throw new BridgeError('connection-lost', 'the connection ended');
    }
    if (this.listError !== undefined) throw this.listError;
    const start = cursor === undefined ? 0 : Number(cursor);
    const end = start + this.pageSize;
    return { tools: this.tools.slice(start, end), nextCursor: end < this.tools.length ? String(end) : undefined };
  }
}

/** One connection to a {@link MemoryServer}. */
export class MemorySession implements OpenedSession {
  readonly #server: MemoryServer;
  readonly #listeners: SessionListeners;
  readonly #ended = defer<CloseReason>();
  isOpen = true;
  closeCalls = 0;
  /** Makes `close` wait, as a server does that takes its time. */
  closing: Promise<void> = Promise.resolve();
  readonly closed = this.#ended.promise;
  readonly server = { protocolVersion: '2025-11-25', name: 'memory', version: '1', capabilities: {} };
  readonly pid = undefined;

  constructor(server: MemoryServer, listeners: SessionListeners) {
    this.#server = server;
    this.#listeners = listeners;
  }

  /** Sends `notifications/tools/list_changed`. */
  notify(): void {
    this.#listeners.onToolListChanged();
  }

  /** Ends as a process does that crashed. */
  crash(detail = 'the process exited with code 1'): void {
    this.lose(detail);
    this.vanish(detail);
  }

  /** The first half of a crash: no request goes through any more, but the server is not proven gone. */
  lose(detail = 'the process exited with code 1'): void {
    this.isOpen = false;
    this.#listeners.onLost?.({ kind: 'exit', detail });
  }

  /** The second half: the proof, or that the time for it is over. */
  vanish(detail = 'the process exited with code 1', leftover?: string): void {
    this.isOpen = false;
    this.#ended.resolve(leftover === undefined ? { kind: 'exit', detail } : { kind: 'exit', detail, leftover });
  }

  listToolsPage(cursor: string | undefined, limits: RequestLimits): Promise<RawToolPage> {
    return this.#server.page(cursor, limits.signal);
  }

  async callTool(name: string, args: JsonObject, limits: RequestLimits): Promise<JsonObject> {
    const call = { name, args, limits };
    this.#server.calls.push(call);
    return this.#server.onCall(call);
  }

  async close(): Promise<void> {
    this.closeCalls += 1;
    this.isOpen = false;
    await this.closing;
    this.#ended.resolve({ kind: 'closed-by-bridge', detail: 'closed by the bridge' });
  }
}

/** One server from its start to its end: its list, its losses, its calls. */
import { setTimeout as wait } from 'node:timers/promises';
import type { CallReply, ServerReply, ServerSpec, StateReply } from 'mcp-bridge-conformance/adapter';
import { callTool, type Call } from './calls.ts';
import { Connection } from './connection.ts';
import { messageOf } from './json.ts';
import { listTools, type ListedTool, type Listing } from './listing.ts';
import { Pipe } from './pipe.ts';
import { retriesOf, type Retries } from './retries.ts';
import { Web, type WebHabits } from './web.ts';

/** For the handshake, and for one page of a list, in milliseconds. */
const ANSWER_MS = 10_000;
/** The longest pause between two listings of a server that goes on announcing, in milliseconds. */
const MAX_QUIET_MS = 1_000;

/** What is a matter of taste. */
export interface Habits {
  /** Whether announcements are followed. */
  readonly follows: boolean;
  /** Milliseconds between an announcement and the listing; they double while a server goes on announcing. */
  readonly quietMs: number;
  /** Whether the tools of a lost server stay offered until it is back or given up. */
  readonly keepsTools: boolean;
  /** Whether a lost server is reached for when it is called, and not before. */
  readonly onDemand: boolean;
  /** How HTTP is spoken. */
  readonly web: WebHabits;
}

/** What a server needs of the bridge around it. */
export interface Surroundings {
  log(level: 'info' | 'warn' | 'error', message: string): void;
  /** Takes a list in place of the one before, at once. @returns what of it cannot be offered, and why */
  offer(tools: readonly ListedTool[]): readonly string[];
  readonly habits: Habits;
}

/** One server. */
export class Server {
  readonly #spec: ServerSpec;
  readonly #around: Surroundings;
  readonly #retries: Retries;
  readonly #ending = new AbortController();
  #state: StateReply['servers'][number]['state'] = 'connecting';
  #connection: Connection | undefined;
  #attempt = 0;
  #count = 0;
  #lastError: string | undefined;
  #noticed = false;
  #following = false;
  /** Settles when no attempt to come back is pending or under way. */
  #returning: Promise<void> = Promise.resolve();

  constructor(spec: ServerSpec, around: Surroundings) {
    this.#spec = spec;
    this.#around = around;
    this.#retries = retriesOf(spec.options);
  }

  /** Starts it. Settles when its tools are offered, or when the first attempt has failed. */
  async start(): Promise<ServerReply> {
    const { name } = this.#spec;
    try {
      await this.#connect();
      return { name, status: 'ready' };
    } catch (error) {
      this.#failed(`cannot be used: ${messageOf(error)}`);
      this.#comeBack();
      return { name, status: 'degraded', message: this.#lastError ?? '' };
    }
  }

  /** Ends it. Settles when nothing of it is left. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#state = 'disposed';
    // An attempt that begins in this moment sees the abort; one under way is ended like any connection.
    await this.#connection?.close();
    await this.#returning;
    this.#around.offer([]);
  }

  /** Reads the list now. A list that cannot be read leaves the one before and is reported. */
  async refresh(): Promise<void> {
    const connection = this.#usable;
    if (connection === undefined) return;
    try {
      const listing = await this.#list(connection);
      if (connection === this.#connection) this.#show(listing);
    } catch (error) {
      if (connection === this.#connection && !this.#ending.signal.aborted) this.#failed(`the list could not be read again, the old one stays: ${messageOf(error)}`);
    }
  }

  /** One call. */
  async call(call: Call): Promise<CallReply> {
    if (this.#around.habits.onDemand) {
      if (this.#state === 'failed') this.#reach();
      await this.#returning;
    }
    return callTool(this.#usable, call);
  }

  /** How it is. */
  get state(): StateReply['servers'][number] {
    const lastError = this.#lastError === undefined ? {} : { lastError: this.#lastError };
    return { name: this.#spec.name, state: this.#state, tools: this.#count, attempt: this.#attempt, ...lastError };
  }

  /** The connection, once it may be used. */
  get #usable(): Connection | undefined {
    return this.#connection?.isReady === true ? this.#connection : undefined;
  }

  async #connect(): Promise<void> {
    const spec = this.#spec;
    const { web } = this.#around.habits;
    const connection = new Connection((hearing) => (spec.transport === 'stdio' ? new Pipe(spec, hearing) : new Web(spec, hearing, web)), {
      onNotification: (method) => this.#heard(method),
      onNoise: (line) => this.#around.log('warn', `wrote something that is no message: ${line.slice(0, 80)}`),
    });
    this.#connection = connection;
    try {
      await connection.initialize(ANSWER_MS);
      this.#noticed = false;
      this.#show(await this.#list(connection));
    } catch (error) {
      this.#connection = undefined;
      await connection.close();
      throw error;
    }
    this.#state = 'ready';
    this.#lastError = undefined;
    void this.#watch(connection);
    if (this.#noticed) void this.#follow();
  }

  async #watch(connection: Connection): Promise<void> {
    const sinceMs = performance.now();
    const reason = await connection.gone;
    if (connection !== this.#connection || this.#ending.signal.aborted) return;
    this.#connection = undefined;
    this.#failed(`is lost: ${reason}`);
    if (!this.#around.habits.keepsTools) this.#around.offer([]);
    // Who lives long is forgiven; who dies young is not started for ever.
    if (performance.now() - sinceMs > this.#retries.maxDelayMs) this.#attempt = 0;
    this.#comeBack();
  }

  async #list(connection: Connection): Promise<Listing> {
    return listTools((params) => connection.request('tools/list', params, { timeoutMs: ANSWER_MS }));
  }

  #show({ tools, refused }: Listing): void {
    if (this.#ending.signal.aborted) return;
    const complaints = [...refused, ...this.#around.offer(tools)];
    this.#count = tools.length;
    for (const complaint of complaints) this.#around.log('warn', complaint);
  }

  #heard(method: string): void {
    if (method !== 'notifications/tools/list_changed' || !this.#around.habits.follows) return;
    this.#noticed = true;
    if (this.#state === 'ready' && !this.#following) void this.#follow();
  }

  /** One listing after the other, as long as something is announced; what comes during one is a reason for the next. */
  async #follow(): Promise<void> {
    this.#following = true;
    for (let { quietMs } = this.#around.habits; this.#noticed && !this.#ending.signal.aborted; quietMs = Math.min(2 * quietMs + 1, MAX_QUIET_MS)) {
      await wait(quietMs, undefined, { signal: this.#ending.signal }).catch(() => undefined);
      this.#noticed = false;
      await this.refresh();
    }
    this.#following = false;
  }

  /** Begins to try again, where the entry allows it. */
  #comeBack(): void {
    if (!this.#retries.enabled || this.#around.habits.onDemand || this.#ending.signal.aborted) {
      this.#state = 'failed';
      return;
    }
    this.#state = 'reconnecting';
    this.#returning = this.#tryAgain().catch((error: unknown) => this.#failed(messageOf(error)));
  }

  /** Tries again once. */
  #reach(): void {
    this.#state = 'reconnecting';
    this.#returning = this.#connect().catch((error: unknown) => {
      this.#state = 'failed';
      this.#failed(`cannot be reached: ${messageOf(error)}`);
    });
  }

  async #tryAgain(): Promise<void> {
    const { signal } = this.#ending;
    while (this.#attempt < this.#retries.maxAttempts) {
      this.#attempt += 1;
      await wait(Math.min(this.#retries.initialDelayMs * 2 ** (this.#attempt - 1), this.#retries.maxDelayMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#connect();
        this.#around.log('info', `is back at attempt ${this.#attempt}`);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#failed(`attempt ${this.#attempt} came to nothing: ${messageOf(error)}`);
      }
    }
    this.#state = 'failed';
    this.#count = 0;
    this.#around.offer([]);
    this.#around.log('error', `is given up after ${this.#attempt} attempts; its tools are gone until it is loaded again`);
  }

  #failed(message: string): void {
    this.#lastError = message;
    this.#around.log('warn', message);
  }
}

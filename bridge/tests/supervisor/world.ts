/**
 * A server whose every step waits to be scheduled, and an independent account of what the bridge owes: when the next
 * attempt is due, to the millisecond, and which tools are registered.
 */
import type { Scheduler } from 'fast-check';
import type { Clock } from '../../src/clock.ts';
import type { OpenedSession, OpenSessionOptions } from '../../src/client-session.ts';
import { BridgeError } from '../../src/errors.ts';
import type { ReconnectPolicy } from '../../src/reconnect-budget.ts';
import type { CloseReason, RawToolPage, SessionListeners } from '../../src/session.ts';
import { ManualClock } from '../helpers-logic/manual-clock.ts';
import { defer, listedTool, textResult } from '../helpers-logic/scripted-session.ts';

/** What one incarnation of the server does. */
export interface Fate {
  readonly opens: 'well' | 'not' | 'unproven';
  readonly lists: 'well' | 'not' | 'void';
  /** Tools of its first list, and of later ones. */
  readonly tools: readonly string[];
  readonly later: readonly string[];
  /** Dies by itself so many milliseconds after its first list; `undefined`: never. */
  readonly livesMs: number | undefined;
  /** Whether its end can be proven, when it dies or is closed. */
  readonly isProven: boolean;
}

/** What the bridge owes. */
export class Account {
  readonly #policy: ReconnectPolicy;
  readonly #isStrict: boolean;
  #used = 0;
  #isFirst = true;
  /** When the next attempt must begin; `undefined`: none may. */
  dueAt: number | undefined;
  tools: readonly string[] = [];
  isDisposed = false;

  constructor(policy: ReconnectPolicy, isStrict: boolean, nowMs: number) {
    this.#policy = policy;
    this.#isStrict = isStrict;
    this.dueAt = nowMs;
  }

  /** A list was answered well over a connection that stands. */
  listed(tools: readonly string[]): void {
    this.#isFirst = false;
    if (!this.isDisposed) this.tools = tools;
  }

  /** A listed connection was lost: its tools go at once when there is nothing left to try. */
  lost(uptimeMs: number): void {
    const { enabled, maxAttempts, maxDelayMs } = this.#policy;
    if (enabled && uptimeMs < maxDelayMs && this.#used >= maxAttempts) this.tools = [];
  }

  /** The proof came at `nowMs` that the old connection is gone, or that it cannot be proven. */
  ended(nowMs: number, isProven: boolean, uptimeMs: number | undefined): void {
    if (this.isDisposed) return;
    const { enabled, maxAttempts, initialDelayMs, maxDelayMs } = this.#policy;
    if (uptimeMs !== undefined && uptimeMs >= maxDelayMs) this.#used = 0;
    if (!enabled || (this.#isFirst && this.#isStrict)) return;
    this.#isFirst = false;
    if (!isProven || this.#used >= maxAttempts) {
      this.tools = [];
      return;
    }
    this.#used += 1;
    let delayMs = initialDelayMs;
    for (let doubling = 1; doubling < this.#used; doubling += 1) delayMs *= 2;
    this.dueAt = nowMs + Math.min(maxDelayMs, delayMs);
  }

  disposed(): void {
    this.isDisposed = true;
    this.dueAt = undefined;
    this.tools = [];
  }
}

/** See the module's comment. */
export class World {
  readonly time = new ManualClock();
  readonly #scheduler: Scheduler;
  readonly #fates: readonly Fate[];
  readonly account: Account;
  /** Incarnations that are not proven gone. */
  alive = 0;
  /** Those of them that never will be. */
  leftOver = 0;
  begun = 0;
  current: Incarnation | undefined;
  /** Timers of the bridge that wait. */
  timers = 0;
  /** What should never be, as it happened. */
  readonly wrong: string[] = [];

  constructor(scheduler: Scheduler, fates: readonly Fate[], policy: ReconnectPolicy, isStrict: boolean) {
    this.#scheduler = scheduler;
    this.#fates = fates;
    this.account = new Account(policy, isStrict, this.time.now());
  }

  /** The bridge's clock: the world's time, its timers counted. */
  readonly clock: Clock = {
    now: () => this.time.now(),
    schedule: (delayMs, callback) => {
      this.timers += 1;
      let isWaiting = true;
      const done = (): void => {
        if (isWaiting) this.timers -= 1;
        isWaiting = false;
      };
      const cancel = this.time.schedule(delayMs, () => {
        done();
        callback();
      });
      return () => {
        done();
        cancel();
      };
    },
  };

  /** The replacement of the stage `openSession`. */
  readonly open = async (options: OpenSessionOptions): Promise<OpenedSession> => {
    const now = this.time.now();
    const isGivenUp = (): boolean => options.signal?.aborted === true;
    if (isGivenUp()) throw new BridgeError('disposed', 'connecting was given up');
    if (this.alive > 0) this.wrong.push(`attempt at ${now} while the server before is not proven gone`);
    if (this.account.dueAt !== now) this.wrong.push(`attempt at ${now}, due was ${String(this.account.dueAt)}`);
    this.account.dueAt = undefined;
    const fate = this.#fates[this.begun % this.#fates.length];
    if (fate === undefined) throw new Error('there is no fate');
    this.begun += 1;
    this.alive += 1;
    await this.step(`open ${this.begun}`);
    if (fate.opens === 'well' && !isGivenUp()) {
      this.current = new Incarnation(this, fate, options.listeners);
      return this.current;
    }
    const isProven = fate.opens !== 'unproven';
    if (isProven) this.alive -= 1;
    else this.leftOver += 1;
    this.account.ended(this.time.now(), isProven, undefined);
    throw new BridgeError(isProven ? 'connect-failed' : 'close-incomplete', 'it did not open');
  };

  /** Waits until the scheduler lets this go on. */
  async step(label: string): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), label);
  }
}

/** One connection. */
export class Incarnation implements OpenedSession {
  readonly #world: World;
  readonly #fate: Fate;
  readonly #listeners: SessionListeners;
  readonly #ended = defer<CloseReason>();
  readonly closed = this.#ended.promise;
  readonly server = { protocolVersion: '2025-11-25', name: 'world', version: '1', capabilities: {} };
  readonly pid = undefined;
  isOpen = true;
  #listings = 0;
  #listedAt: number | undefined;
  #ending: Promise<boolean> | undefined;
  readonly #lost = defer<void>();

  constructor(world: World, fate: Fate, listeners: SessionListeners) {
    this.#world = world;
    this.#fate = fate;
    this.#listeners = listeners;
  }

  notify(): void {
    this.#listeners.onToolListChanged();
  }

  /** Ends as a process does that crashed. */
  crash(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (this.#listedAt !== undefined) this.#world.account.lost(this.#world.time.now() - this.#listedAt);
    // A notice that comes in its last moment, and one that comes too late.
    this.#listeners.onToolListChanged();
    this.#listeners.onLost?.({ kind: 'exit', detail: 'it crashed' });
    this.#listeners.onToolListChanged();
    void this.#end('it crashed');
  }

  async listToolsPage(): Promise<RawToolPage> {
    const { lists, tools, later, livesMs } = this.#fate;
    const isFirst = this.#listings === 0;
    this.#listings += 1;
    // A request in flight ends with the connection, before the server is proven gone.
    await Promise.race([this.#world.step('list'), this.#lost.promise]);
    if (!this.isOpen) throw new BridgeError('connection-lost', 'the connection ended');
    if (lists === 'not' || this.#world.account.isDisposed) throw new BridgeError('rpc-error', 'no list');
    const names = isFirst ? tools : later;
    if (lists === 'void') return { tools: [listedTool('x'), listedTool('x')], nextCursor: undefined };
    this.#world.account.listed(names);
    if (isFirst) {
      this.#listedAt = this.#world.time.now();
      if (livesMs !== undefined) this.#world.time.schedule(livesMs, () => this.crash());
    }
    return { tools: names.map((name) => listedTool(name)), nextCursor: undefined };
  }

  async callTool(rawName: string): Promise<ReturnType<typeof textResult>> {
    return textResult(`called ${rawName}`);
  }

  async close(): Promise<void> {
    this.isOpen = false;
    if (!(await this.#end('closed'))) throw new BridgeError('close-incomplete', 'it is still there');
  }

  #end(detail: string): Promise<boolean> {
    this.#lost.resolve();
    this.#ending ??= this.#finish(detail, this.#world.time.now());
    return this.#ending;
  }

  async #finish(detail: string, lostAt: number): Promise<boolean> {
    await this.#world.step(`end: ${detail}`);
    const { isProven } = this.#fate;
    const reason: CloseReason = { kind: 'exit', detail };
    if (isProven) this.#world.alive -= 1;
    else this.#world.leftOver += 1;
    this.#world.account.ended(this.#world.time.now(), isProven, this.#listedAt === undefined ? undefined : lostAt - this.#listedAt);
    this.#ended.resolve(isProven ? reason : { ...reason, leftover: 'it is still there' });
    return isProven;
  }
}

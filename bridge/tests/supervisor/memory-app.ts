/** One instance over a server in memory, on a clock that stands still: every delay can be told to the millisecond. */
import type { BridgeStages } from '../../src/internal.ts';
import { bridgeState, type ServerState } from '../../src/state.ts';
import { ManualClock, settle } from '../helpers-logic/manual-clock.ts';
import { MemoryHost, memoryConfig, type LoadedInstance } from '../helpers-logic/memory-host.ts';
import { listedTool, MemoryServer } from '../helpers-logic/scripted-session.ts';

/** Delays of 100, 200, 400, 400 ms; a connection that lives 400 ms ends its outage. */
export const POLICY = { enabled: true, initialDelayMs: 100, maxDelayMs: 400, maxAttempts: 4 };

/** An app with one server, `mem`. */
export class MemoryApp {
  readonly host = new MemoryHost();
  readonly clock = new ManualClock();
  readonly server: MemoryServer;
  instance: LoadedInstance | undefined;

  constructor(...tools: string[]) {
    this.server = new MemoryServer(...tools.map((name) => listedTool(name)));
  }

  /** Loads the server; settles with its activation. */
  async load(config: Readonly<Record<string, unknown>> = {}, stages: Partial<BridgeStages> = {}): Promise<void> {
    this.begin(config, stages);
    await this.instance?.activated;
    await settle();
  }

  /** Loads the server and does not wait. */
  begin(config: Readonly<Record<string, unknown>> = {}, stages: Partial<BridgeStages> = {}): void {
    this.instance = this.host.load(memoryConfig({ reconnect: POLICY, ...config }), this.server, { clock: this.clock, ...stages });
  }

  async dispose(): Promise<void> {
    await this.instance?.dispose();
  }

  /** The server's state; `undefined` when its name is free. */
  get state(): ServerState | undefined {
    return bridgeState(this.host.root)[0];
  }

  /** Sessions opened so far. */
  get opened(): number {
    return this.server.sessions.length;
  }

  /** Log lines of these levels, without the logger's name and the server's. */
  lines(...levels: string[]): string[] {
    return this.host.logs.filter(({ level }) => levels.includes(level)).map(({ message }) => message.replace('[mcp-bridge] mem: ', ''));
  }

  /** Lets time pass, and tells after how many milliseconds each attempt began. */
  async attemptsWithin(ms: number): Promise<number[]> {
    const begun: number[] = [];
    let attempts = this.#attemptsBegun;
    for (let passed = 1; passed <= ms; passed += 1) {
      await this.clock.advance(1);
      if (this.#attemptsBegun > attempts) begun.push(passed);
      attempts = this.#attemptsBegun;
    }
    return begun;
  }

  get #attemptsBegun(): number {
    return this.host.states.filter(({ state, nextDelayMs }) => state === 'reconnecting' && nextDelayMs === undefined).length;
  }
}

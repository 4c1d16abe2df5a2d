/** The way of the suite to the minimal bridge. */
import {
  AdapterError, completeAdapter, type BridgeAdapter, type CallReply, type CallRequest, type OpenReply, type OpenRequest, type ServerReply,
  type ServerSpec, type StateReply, type SubjectDescription, type SubjectNotification, type ToolsReply,
} from 'mcp-bridge-conformance/adapter';
import { Bridge, type BridgeOptions } from './bridge.ts';
import { minimalDescription } from './description.ts';
import { publicName } from './naming.ts';
import type { Habits } from './server.ts';

/** What may differ in a bridge that is the minimal one otherwise. */
export interface MinimalOptions extends Partial<Habits & Pick<BridgeOptions, 'publicName' | 'sentName'>> {
  /** What it declares in place of the minimal bridge's. */
  readonly declares?: Partial<SubjectDescription>;
}

/** The adapter; `bridge` is there for those who build on it. */
export class MinimalAdapter {
  readonly #options: MinimalOptions;
  readonly #listeners = new Set<(told: SubjectNotification) => void>();
  readonly #calls = new Map<string, AbortController>();
  #bridge: Bridge | undefined;
  #revision = 0;
  #telling = false;

  constructor(options: MinimalOptions = {}) {
    this.#options = options;
  }

  async describe(): Promise<SubjectDescription> {
    return { ...minimalDescription, ...this.#options.declares };
  }

  async open({ servers, host = {} }: OpenRequest): Promise<OpenReply> {
    if (this.#bridge !== undefined) throw new AdapterError('misuse', 'a bridge is open already; close it first');
    const bridge = new Bridge({
      publicName: this.#options.publicName ?? publicName,
      sentName: this.#options.sentName ?? ((rawName) => rawName),
      habits: { follows: true, quietMs: 20, keepsTools: true, ...this.#options },
      log: (level, server, message) => this.#tell({ type: 'log', level, server, message }),
      onChange: () => this.#changed(),
    }, [...(host.nativeTools ?? []), ...(host.foreignTools ?? [])]);
    this.#bridge = bridge;
    return { servers: await Promise.all(servers.map((server) => bridge.add(server))) };
  }

  add(server: ServerSpec): Promise<ServerReply> {
    return this.bridge.add(server);
  }

  async remove(server: string): Promise<void> {
    await this.bridge.remove(server);
  }

  async reload(name: string): Promise<ServerReply> {
    const spec = await this.bridge.remove(name);
    if (spec === undefined) throw new AdapterError('misuse', `no server "${name}" is loaded`);
    return this.bridge.add(spec);
  }

  async close(): Promise<void> {
    await this.#bridge?.close();
    this.#bridge = undefined;
  }

  async tools(): Promise<ToolsReply> {
    return { revision: this.#revision, tools: this.#bridge?.tools ?? [] };
  }

  async state(): Promise<StateReply> {
    return { servers: this.#bridge?.states ?? [] };
  }

  async call({ callId, name, arguments: args }: CallRequest): Promise<CallReply> {
    const abort = new AbortController();
    this.#calls.set(callId, abort);
    try {
      return await this.bridge.call(name, args, abort.signal);
    } finally {
      this.#calls.delete(callId);
    }
  }

  async cancel(callId: string): Promise<void> {
    this.#calls.get(callId)?.abort();
  }

  onNotification(listener: (told: SubjectNotification) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What is open. */
  get bridge(): Bridge {
    if (this.#bridge === undefined) throw new AdapterError('misuse', 'no bridge is open');
    return this.#bridge;
  }

  /** Told at the end of the job in which it changed, once. */
  #changed(): void {
    this.#revision += 1;
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      this.#tell({ type: 'registry', revision: this.#revision, tools: this.#bridge?.tools ?? [] });
    });
  }

  #tell(told: SubjectNotification): void {
    for (const listener of this.#listeners) listener(told);
  }
}

/** Makes the way to a minimal bridge. */
export function createMinimalAdapter(options: MinimalOptions = {}): BridgeAdapter {
  return completeAdapter(new MinimalAdapter(options));
}

/** The way of the suite to the minimal bridge. */
import {
  AdapterError, completeAdapter, type BridgeAdapter, type CallReply, type CallRequest, type GateRequest, type HostChange, type OpenReply, type OpenRequest, type ServerReply,
  type ServerSpec, type StateReply, type SubjectDescription, type SubjectNotification, type ToolsReply,
} from 'mcp-bridge-conformance/adapter';
import { Bridge, type BridgeOptions } from './bridge.ts';
import { minimalDescription } from './description.ts';
import { Host } from './host.ts';
import { viewOf } from './images.ts';
import { publicName } from './naming.ts';
import type { Habits } from './server.ts';
import type { WebHabits } from './web.ts';

/** What may differ in a bridge that is the minimal one otherwise. */
export interface MinimalOptions extends Partial<Omit<Habits, 'web'> & Pick<BridgeOptions, 'publicName' | 'sentName'>> {
  /** What it declares in place of the minimal bridge's. */
  readonly declares?: Partial<SubjectDescription>;
  readonly web?: Partial<WebHabits>;
}

/** The adapter; `bridge` is there for those who build on it. */
export class MinimalAdapter {
  readonly #options: MinimalOptions;
  readonly #listeners = new Set<(told: SubjectNotification) => void>();
  readonly #calls = new Map<string, AbortController>();
  #bridge: Bridge | undefined;
  #host: Host | undefined;
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
    if (host.proxy !== undefined) throw new AdapterError('unsupported', 'this host declares no proxy');
    const { web, ...habits } = this.#options;
    this.#host = new Host((told) => this.#tell(told));
    this.#host.change(host);
    const bridge = new Bridge({
      publicName: this.#options.publicName ?? publicName,
      sentName: this.#options.sentName ?? ((rawName) => rawName),
      habits: { follows: true, quietMs: 20, keepsTools: true, onDemand: false, ...habits, web: { fetch: globalThis.fetch, listens: false, ...web } },
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
    this.#host?.release();
    await this.#bridge?.close();
    this.#bridge = undefined;
    this.#host = undefined;
  }

  async tools(): Promise<ToolsReply> {
    return { revision: this.#revision, tools: this.#bridge?.tools ?? [] };
  }

  async state(): Promise<StateReply> {
    return { servers: this.#bridge?.states ?? [] };
  }

  async call({ callId, name, arguments: args, agent, policy }: CallRequest): Promise<CallReply> {
    const { bridge, host } = this;
    if (policy !== undefined && 'deny' in policy) return { outcome: 'failed', executed: 'no', view: [{ type: 'text', text: policy.deny }], message: policy.deny };
    const abort = new AbortController();
    const { signal } = abort;
    this.#calls.set(callId, abort);
    try {
      const reply = await bridge.call(name, args, { signal, show: (content) => viewOf(content, host.galleryOf(agent), signal) });
      return await host.finalize(reply, policy, signal);
    } finally {
      this.#calls.delete(callId);
    }
  }

  async cancel(callId: string): Promise<void> {
    this.#calls.get(callId)?.abort();
  }

  async gate(request: GateRequest): Promise<void> {
    this.host.set(request);
  }

  async setHost(change: HostChange): Promise<void> {
    this.host.change(change);
  }

  onNotification(listener: (told: SubjectNotification) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The host that is open. */
  get host(): Host {
    if (this.#host === undefined) throw new AdapterError('misuse', 'no host is open');
    return this.#host;
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

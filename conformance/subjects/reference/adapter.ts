/**
 * The way to the reference bridge: the plugin in one of its hosts, operated by the suite.
 */
import {
  AdapterError, HOST_EVENTS, type BridgeAdapter, type CallReply, type CallRequest, type GateRequest, type HostChange, type HostSpec,
  type OpenReply, type OpenRequest, type ServerReply, type ServerSpec, type StateReply, type SubjectDescription, type SubjectNotification, type ToolsReply,
} from 'mcp-bridge-conformance/adapter';
import type { EmbeddedHost, HostLogRecord, PluginHandle } from 'cordis-plugin-mcp-bridge/host';
import {
  bridgeState, createBridgePlugin, describeError, whenDisposed, type BridgePlugin, type BridgeStages,
} from 'cordis-plugin-mcp-bridge/internal';
import { CallBodies } from './call-bodies.ts';
import { CallPolicies } from './call-policies.ts';
import { referenceDescription } from './description.ts';
import { Gates } from './gates.ts';
import { hostTool } from './host-tools.ts';
import { onCordis3, type ReferenceHost } from './host.ts';
import { agentOn, ImageServices } from './image-services.ts';
import { replyOf } from './outcomes.ts';

/** Options of the reference adapter. */
export interface ReferenceOptions {
  /** Stages that replace the reference's own: how a mutant gets its defect. */
  readonly stages?: Partial<BridgeStages>;
  /** Where it runs; default the embedded host on Cordis 3.18. */
  readonly host?: ReferenceHost;
}

/** What belongs to one `open`. */
interface OpenHost {
  readonly host: EmbeddedHost;
  readonly policies: CallPolicies;
  readonly gates: Gates;
  readonly images: ImageServices;
  /** Loaded instances by server name; a name that was refused has none. */
  readonly handles: Map<string, PluginHandle>;
  /** Entries by server name, for `reload`. */
  readonly entries: Map<string, ServerSpec>;
  /** The platform is again as it was before. */
  readonly leavePlatform: () => void;
}

/** The reference behind the suite's contract. */
class ReferenceAdapter implements BridgeAdapter {
  readonly #plugin: BridgePlugin;
  readonly #host: ReferenceHost;
  readonly #bodies = new CallBodies();
  readonly #listeners = new Set<(told: SubjectNotification) => void>();
  readonly #calls = new Map<string, AbortController>();
  #open: OpenHost | undefined;

  constructor(options: ReferenceOptions) {
    this.#host = options.host ?? onCordis3;
    this.#plugin = createBridgePlugin(this.#bodies.watch(options.stages));
  }

  async describe(): Promise<SubjectDescription> {
    const { label } = this.#host;
    return label === undefined ? referenceDescription : { ...referenceDescription, name: `${referenceDescription.name} ${label}` };
  }

  async open({ servers, host: spec = {} }: OpenRequest): Promise<OpenReply> {
    if (this.#open !== undefined) throw new AdapterError('misuse', 'a host is open already; close it first');
    const gates = new Gates((gate) => this.#tell({ type: 'host-event', event: HOST_EVENTS.gateHeld, detail: { gate } }));
    const policies = new CallPolicies(gates);
    const leavePlatform = declareProxy(spec);
    const host = await this.#host.start({ onLog: (line) => this.#log(line) });
    const images = new ImageServices(host, gates, (told) => this.#tell(told));
    this.#open = { host, policies, gates, images, handles: new Map(), entries: new Map(), leavePlatform };
    await images.apply(spec);
    host.tools.use(policies.policy);
    for (const name of [...(spec.nativeTools ?? []), ...(spec.foreignTools ?? [])]) host.tools.register(hostTool(name));
    host.tools.onSettled((revision) => this.#tell({ type: 'registry', revision, tools: toolsOf(host) }));
    // All at once, as a loader does it: none waits for another, and each has an ending of its own (B19).
    return { servers: await Promise.all(servers.map((server) => this.add(server))) };
  }

  async add(server: ServerSpec): Promise<ServerReply> {
    const { host, handles, entries } = this.#need();
    const { name } = server;
    try {
      handles.set(name, await host.load(this.#plugin, configOf(server)));
      entries.set(name, server);
    } catch (error) {
      return { name, status: 'rejected', message: describeError(error) };
    }
    const state = bridgeState(host.ctx.root).find(({ serverName }) => serverName === name);
    const message = state?.lastError === undefined ? {} : { message: state.lastError };
    return { name, status: state?.state === 'ready' && state.lastError === undefined ? 'ready' : 'degraded', ...message };
  }

  async remove(server: string): Promise<void> {
    const { host, handles } = this.#need();
    const handle = handles.get(server);
    if (handle === undefined) throw new AdapterError('misuse', `no server "${server}" is loaded`);
    handles.delete(server);
    const unloaded = host.unload(handle);
    // Asked for while it goes: another instance of that name may be added meanwhile, and it is not the one that goes.
    const disposed = whenDisposed(host.ctx.root, server);
    await unloaded;
    await disposed;
  }

  async reload(server: string): Promise<ServerReply> {
    const entry = this.#need().entries.get(server);
    if (entry === undefined) throw new AdapterError('misuse', `no server "${server}" was ever loaded`);
    if (this.#need().handles.has(server)) await this.remove(server);
    return this.add(entry);
  }

  async close(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    open.gates.open();
    try {
      await open.host.dispose();
      await whenDisposed(open.host.ctx.root);
    } finally {
      open.leavePlatform();
      this.#open = undefined;
    }
  }

  async tools(): Promise<ToolsReply> {
    const host = this.#open?.host;
    return host === undefined ? { revision: 0, tools: [] } : { revision: host.tools.revision, tools: toolsOf(host) };
  }

  async state(): Promise<StateReply> {
    const host = this.#open?.host;
    if (host === undefined) return { servers: [] };
    return {
      servers: bridgeState(host.ctx.root).map(({ serverName, state, toolCount, attempt, lastError }) => ({
        name: serverName, state, tools: toolCount, attempt, ...(lastError === undefined ? {} : { lastError }),
      })),
    };
  }

  async call(request: CallRequest): Promise<CallReply> {
    const { host, policies } = this.#need();
    const { callId, name } = request;
    const abort = new AbortController();
    this.#calls.set(callId, abort);
    policies.set(callId, request.policy);
    try {
      const parent = request.via === 'program' ? { parent: { callId: `${callId}-program` } } : {};
      const agent = request.agent === undefined ? {} : { agent: agentOn(request.agent) };
      const result = await host.tools.execute({ callId, name, arguments: request.arguments, signal: abort.signal, ...parent, ...agent });
      return replyOf(result, this.#bodies.of(abort.signal));
    } finally {
      this.#calls.delete(callId);
      policies.forget(callId);
    }
  }

  async cancel(callId: string): Promise<void> {
    this.#calls.get(callId)?.abort();
  }

  async gate(request: GateRequest): Promise<void> {
    this.#need().gates.set(request);
  }

  async setHost(change: HostChange): Promise<void> {
    await this.#need().images.apply(change);
  }

  onNotification(listener: (told: SubjectNotification) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #need(): OpenHost {
    if (this.#open === undefined) throw new AdapterError('misuse', 'no host is open');
    return this.#open;
  }

  #tell(told: SubjectNotification): void {
    for (const listener of this.#listeners) listener(told);
  }

  /** Every line of the bridge begins with the server's name; `%%` is how a logger's format spells a percent sign. */
  #log({ level, message }: HostLogRecord): void {
    const text = message.replaceAll('%%', '%');
    const server = /^([A-Za-z0-9_-]{1,32}): /.exec(text)?.[1];
    this.#tell({ type: 'log', level, message: text, ...(server === undefined ? {} : { server }) });
  }
}

/** Makes the way to the reference, or to a reference with some stages replaced. */
export function createReferenceAdapter(options: ReferenceOptions = {}): BridgeAdapter {
  return new ReferenceAdapter(options);
}

function toolsOf(host: EmbeddedHost): ToolsReply['tools'] {
  return host.tools.schemas().map(({ name, description, parameters }) => ({ name, description, parameters }));
}

function configOf({ name, options, ...how }: ServerSpec): object {
  return { ...options, ...how, serverName: name };
}

/** A platform declares its proxy by variables of the environment, which the bridge reads at each connection (B29). @returns takes them back */
function declareProxy({ proxy }: HostSpec): () => void {
  if (proxy === undefined) return () => {};
  const declared = { http_proxy: proxy, https_proxy: proxy, no_proxy: '' };
  const before = Object.keys(declared).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, declared);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

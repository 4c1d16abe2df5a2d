/**
 * A host in this process: a Cordis context of the caller's with the embedded host's services in it, the same to use
 * whatever the version of Cordis.
 */
import { mountService, type CordisContext } from './cordis-context.ts';
import { HostError } from './host-error.ts';
import type { HostConfig } from './host-config.ts';
import type { HostedRegistry } from './hosted-registry.ts';
import { LocalToolRegistry } from './tool-registry.ts';

/** A namespace plugin: a module with `apply`, or an object like one. */
export interface HostedPlugin {
  readonly name?: string;
  /** Names of the services it needs. */
  readonly inject?: unknown;
  /** Schema of its config: callable in Cordis 3, a Standard Schema in Cordis 4. */
  readonly Config?: unknown;
  apply(ctx: unknown, config: unknown): unknown;
}

/** One line of a log. */
export interface HostLogRecord {
  readonly level: 'error' | 'warn' | 'info' | 'debug';
  /** The name of the logger, as a rule that of the plugin. */
  readonly name: string;
  readonly message: string;
}

/** Options of an embedded host. */
export interface EmbeddedHostOptions {
  /** Config of the host plugin itself. */
  readonly host?: HostConfig;
  /** Receives what plugins log; default: wherever the given Cordis logs to. Must not throw. */
  readonly onLog?: (record: HostLogRecord) => void;
}

/** One loaded plugin. Opaque: give it back to `unload`. */
export interface PluginHandle {
  readonly pluginName: string;
}

/** A running host. */
export interface EmbeddedHost {
  readonly cordis: 3 | 4;
  readonly ctx: CordisContext;
  /** `ctx.tools`, or in the DeepSeek Harness what stands before it. */
  readonly tools: HostedRegistry;
  /**
   * Loads one instance of a plugin; the same plugin may be loaded any number of times (S11). Resolves when its
   * activation has settled (S12).
   *
   * Rejects with the error with which the plugin's config or `apply` failed, itself and not a copy, after
   * everything the instance had started is taken back; with HostError `plugin-waiting` when a service that it
   * needs is not there; with `plugin-invalid` and `host-disposed`.
   */
  load(plugin: HostedPlugin, config?: unknown): Promise<PluginHandle>;
  /**
   * Ends one instance, and resolves when its disposers have finished, asynchronous ones too, also in Cordis 3, which
   * does not wait for them. Idempotent. A disposer that fails is an error in the log, as in Cordis itself.
   */
  unload(handle: PluginHandle): Promise<void>;
  /**
   * Mounts a service of the caller's, such as `attachments` or `llm` (S44), until its handle is unloaded.
   * Rejects when a service of that name is mounted already.
   */
  provide(service: string, value: object): Promise<PluginHandle>;
  /** Unloads everything, last loaded first, then ends the context. Idempotent. */
  dispose(): Promise<void>;
}

/** A plugin that mounts one service. */
export function servicePlugin(service: string, value: object): HostedPlugin {
  return {
    name: `service-${service}`,
    async apply(ctx) {
      mountService(Object(ctx), service, value);
    },
  };
}

/** Refuses what cannot be loaded. @throws HostError `plugin-invalid` */
export function assertPlugin(plugin: HostedPlugin): void {
  if (typeof plugin === 'object' && plugin !== null && typeof plugin.apply === 'function') return;
  throw new HostError('plugin-invalid', 'the plugin has no function "apply"; import the module with "import * as plugin" and hand that in');
}

/** The registry that the host plugin mounted. */
export function mountedRegistry(ctx: CordisContext): LocalToolRegistry {
  const tools = ctx.get('tools');
  if (tools instanceof LocalToolRegistry) return tools;
  throw new HostError('plugin-invalid', 'this Cordis did not mount the tool registry; the embedded host runs in Cordis 3 and 4');
}

/** The error for a plugin that never began, since a service is missing. */
export function waitingError(plugin: Pick<HostedPlugin, 'name' | 'inject'>): HostError {
  const needs = (Array.isArray(plugin.inject) ? plugin.inject : Object.keys(Object(plugin.inject))).join(', ');
  return new HostError('plugin-waiting', `the plugin "${plugin.name ?? 'unnamed'}" waits for a service that nobody provides; it needs: ${needs}`);
}

/** The error for a host that is gone. */
export function disposedError(): HostError {
  return new HostError('host-disposed', 'this host was disposed; start another one');
}

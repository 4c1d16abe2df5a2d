/**
 * The embedded host on Cordis 3.
 *
 * Cordis 3 runs `apply` of a plugin object once, unless the plugin is marked reusable; it catches what `apply` throws;
 * and it runs disposers without waiting for them. So each load gets a plugin object of its own, whose `apply` is
 * watched, and a context of its own, whose `effect` remembers the promises that disposers return.
 */
import type { HostContext, HostLogger } from '../host-services.ts';
import { describeError } from '../errors.ts';
import { isCordis3, type Cordis3Context, type CordisContext, type CordisContextClass } from './cordis-context.ts';
import {
  assertPlugin,
  disposedError,
  mountedRegistry,
  servicePlugin,
  waitingError,
  type EmbeddedHost,
  type EmbeddedHostOptions,
  type HostedPlugin,
  type PluginHandle,
} from './embedded-host.ts';
import { resolveHostConfig } from './host-config.ts';
import { HostError } from './host-error.ts';
import * as hostPlugin from './plugin.ts';

/** One loaded plugin on Cordis 3. */
class Cordis3Handle implements PluginHandle {
  readonly pluginName: string;
  readonly fork: { dispose(): unknown };
  /** Ends of disposers that have run; none rejects. */
  readonly closing: Promise<void>[];
  unloaded: Promise<void> | undefined;

  constructor(pluginName: string, fork: { dispose(): unknown }, closing: Promise<void>[]) {
    this.pluginName = pluginName;
    this.fork = fork;
    this.closing = closing;
  }
}

/**
 * Starts an embedded host on Cordis 3.
 * @param Context the class `Context` of the package `cordis`, version 3.
 * @throws HostError `host-config-invalid`, and `plugin-invalid` when that is no Cordis 3.
 */
export async function startCordis3Host(Context: CordisContextClass, options: EmbeddedHostOptions = {}): Promise<EmbeddedHost> {
  // Judged here, so that it fails with the same error in every version.
  const hostConfig = resolveHostConfig(options.host);
  const ctx = new Context();
  if (!isCordis3(ctx)) {
    throw new HostError('plugin-invalid', 'this is not the Context of Cordis 3; use startCordis4Host for Cordis 4');
  }
  await ctx.start();
  const loaded = new Set<Cordis3Handle>();
  let disposed: Promise<void> | undefined;

  const load = async (plugin: HostedPlugin, config?: unknown): Promise<Cordis3Handle> => {
    if (disposed !== undefined) throw disposedError();
    assertPlugin(plugin);
    const pluginName = plugin.name ?? 'unnamed';
    const closing: Promise<void>[] = [];
    let activation: Promise<unknown> | undefined;
    const resolved = resolveConfig(plugin, config);
    const own = {
      name: pluginName,
      inject: plugin.inject,
      apply(scope: Cordis3Context): void {
        activation = activate(plugin, () => watched(scope, pluginName, closing, options), resolved);
        // Whoever loads awaits it below; a later activation, after a service came back, has nobody else.
        activation.catch((error: unknown) => report(options, ctx, pluginName, 'activation', error));
      },
    };
    const handle = new Cordis3Handle(pluginName, ctx.plugin(own, {}), closing);
    loaded.add(handle);
    try {
      if (activation === undefined) throw waitingError(plugin);
      await activation;
    } catch (error) {
      await unload(handle);
      throw error;
    }
    return handle;
  };

  const provide = (service: string, value: object): Promise<PluginHandle> => load(servicePlugin(service, value));

  const unload = (handle: PluginHandle): Promise<void> => {
    if (!(handle instanceof Cordis3Handle)) throw new HostError('plugin-invalid', 'this handle is of another host');
    handle.unloaded ??= end(handle);
    return handle.unloaded;
  };

  const end = async (handle: Cordis3Handle): Promise<void> => {
    loaded.delete(handle);
    handle.fork.dispose();
    // A disposer that runs late may still add one.
    for (let closing = handle.closing.shift(); closing !== undefined; closing = handle.closing.shift()) await closing;
  };

  const disposeAll = async (): Promise<void> => {
    // Side by side, last one first: a server that takes long to end holds up no other (B19). The host's services go after them.
    await Promise.all([...loaded].filter((handle) => handle !== own).toReversed().map(unload));
    await unload(own);
    await ctx.stop();
  };

  const own = await load(hostPlugin, hostConfig);
  return { cordis: 3, ctx, tools: mountedRegistry(ctx), load, unload, provide, dispose: () => (disposed ??= disposeAll()) };
}

/** Config through the plugin's schema, as Cordis 3 does it: the schema is called. */
function resolveConfig(plugin: HostedPlugin, config: unknown): unknown {
  const schema = plugin.Config;
  return (isCallable(schema) ? schema(config) : config) ?? {};
}

function isCallable(schema: unknown): schema is (given: unknown) => unknown {
  return typeof schema === 'function';
}

async function activate(plugin: HostedPlugin, scope: () => object, config: unknown): Promise<void> {
  await plugin.apply(scope(), config);
}

/** The instance's context: its disposers' promises are remembered, its logs go to the host's listener. */
function watched(scope: Cordis3Context, pluginName: string, ends: Promise<void>[], options: EmbeddedHostOptions): object {
  const effect: HostContext['effect'] = (callback) =>
    scope.effect(() => {
      const dispose = callback();
      return () => {
        const closing = (async () => dispose())();
        ends.push(closing.catch((error: unknown) => report(options, scope, pluginName, 'disposal', error)));
      };
    });
  const { onLog } = options;
  // Not `extend`, which assigns: an assignment would go through the context to the service of that name.
  const instance: object = Object.create(scope, {
    effect: { value: effect },
    ...(onLog === undefined ? {} : { logger: { value: loggerFor(onLog, pluginName) } }),
  });
  return instance;
}

type OnLog = NonNullable<EmbeddedHostOptions['onLog']>;

function loggerFor(onLog: OnLog, pluginName: string): HostContext['logger'] {
  const named = (name: string): HostLogger => ({
    error: (message) => onLog({ level: 'error', name, message }),
    warn: (message) => onLog({ level: 'warn', name, message }),
    info: (message) => onLog({ level: 'info', name, message }),
    debug: (message) => onLog({ level: 'debug', name, message }),
  });
  return Object.assign((name: string) => named(name), named(pluginName));
}

function report(options: EmbeddedHostOptions, ctx: CordisContext, name: string, what: string, error: unknown): void {
  const message = `${what} failed: ${describeError(error)}`;
  if (options.onLog === undefined) ctx.logger?.(name).error(message);
  else options.onLog({ level: 'error', name, message });
}

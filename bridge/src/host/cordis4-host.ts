/**
 * The embedded host on Cordis 4 (`cordis` 4 and `@deepseek-ai/cordis` 4), where a plugin instance is a fiber that can
 * be awaited and whose disposal waits for its disposers.
 */
import { isCordis4, type Cordis4Fiber, type CordisContextClass } from './cordis-context.ts';
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
import { exportLogs } from './cordis4-logs.ts';
import * as hostPlugin from './plugin.ts';

/** `state` of a fiber that waits for a service. */
const pendingState = 0;

/** One loaded plugin on Cordis 4. */
class Cordis4Handle implements PluginHandle {
  readonly pluginName: string;
  readonly fiber: Cordis4Fiber;
  unloaded: Promise<void> | undefined;

  constructor(pluginName: string, fiber: Cordis4Fiber) {
    this.pluginName = pluginName;
    this.fiber = fiber;
  }
}

/**
 * Starts an embedded host on Cordis 4.
 * @param Context the class `Context` of `cordis` 4 or `@deepseek-ai/cordis` 4.
 * @throws HostError `host-config-invalid`, and `plugin-invalid` when that is no Cordis 4.
 */
export async function startCordis4Host(Context: CordisContextClass, options: EmbeddedHostOptions = {}): Promise<EmbeddedHost> {
  // Judged here, so that it fails with the same error in every version.
  const hostConfig = resolveHostConfig(options.host);
  const ctx = new Context();
  if (!isCordis4(ctx)) {
    throw new HostError('plugin-invalid', 'this is not the Context of Cordis 4; use startCordis3Host for Cordis 3');
  }
  if (options.onLog !== undefined) exportLogs(ctx, options.onLog);
  const loaded = new Set<Cordis4Handle>();
  let disposed: Promise<void> | undefined;

  const load = async (plugin: HostedPlugin, config?: unknown): Promise<Cordis4Handle> => {
    if (disposed !== undefined) throw disposedError();
    assertPlugin(plugin);
    const handle = new Cordis4Handle(plugin.name ?? 'unnamed', ctx.plugin(plugin, config));
    loaded.add(handle);
    try {
      await handle.fiber.await();
      if (handle.fiber.state === pendingState) throw waitingError(plugin);
    } catch (error) {
      await unload(handle);
      throw error;
    }
    return handle;
  };

  const provide = (service: string, value: object): Promise<PluginHandle> => load(servicePlugin(service, value));

  const unload = (handle: PluginHandle): Promise<void> => {
    if (!(handle instanceof Cordis4Handle)) throw new HostError('plugin-invalid', 'this handle is of another host');
    handle.unloaded ??= end(handle);
    return handle.unloaded;
  };

  const end = async (handle: Cordis4Handle): Promise<void> => {
    loaded.delete(handle);
    await handle.fiber.dispose();
  };

  const disposeAll = async (): Promise<void> => {
    for (const handle of [...loaded].toReversed()) await unload(handle);
    await ctx.fiber.dispose();
  };

  await load(hostPlugin, hostConfig);
  return { cordis: 4, ctx, tools: mountedRegistry(ctx), load, unload, provide, dispose: () => (disposed ??= disposeAll()) };
}

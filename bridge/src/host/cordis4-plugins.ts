/**
 * Loads and unloads plugins in a context of Cordis 4 (`cordis` 4 and `@deepseek-ai/cordis` 4), where a plugin instance
 * is a fiber that can be awaited and whose disposal waits for its disposers.
 */
import { isCordis4, type Cordis4Context, type Cordis4Fiber, type CordisContextClass } from './cordis-context.ts';
import { exportLogs } from './cordis4-logs.ts';
import { assertPlugin, disposedError, servicePlugin, waitingError, type EmbeddedHost, type EmbeddedHostOptions, type HostedPlugin, type PluginHandle } from './embedded-host.ts';
import { HostError } from './host-error.ts';

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

/** What a plugin says of itself when it is mounted. */
type Described = object & Pick<HostedPlugin, 'name' | 'inject'>;

/** The plugins of one context of Cordis 4. */
export class Cordis4Plugins implements Pick<EmbeddedHost, 'load' | 'unload' | 'provide' | 'dispose'> {
  readonly ctx: Cordis4Context;
  readonly #loaded = new Set<Cordis4Handle>();
  /** Those of them that a user loaded; the others are the host's own. */
  readonly #guests = new WeakSet<PluginHandle>();
  #disposed: Promise<void> | undefined;

  /** @throws HostError `plugin-invalid` when that is no Cordis 4. */
  constructor(Context: CordisContextClass, onLog: EmbeddedHostOptions['onLog']) {
    const ctx = new Context();
    if (!isCordis4(ctx)) {
      throw new HostError('plugin-invalid', 'this is not the Context of Cordis 4; use startCordis3Host for Cordis 3');
    }
    this.ctx = ctx;
    if (onLog !== undefined) exportLogs(ctx, onLog);
  }

  readonly load = async (plugin: HostedPlugin, config?: unknown): Promise<PluginHandle> => {
    if (this.#disposed !== undefined) throw disposedError();
    assertPlugin(plugin);
    const handle = await this.mount(plugin, config);
    this.#guests.add(handle);
    return handle;
  };

  /** As `load`, for what belongs to the host, and of any form that Cordis takes: a service's class too. */
  async mount(plugin: Described, config?: unknown): Promise<PluginHandle> {
    const handle = new Cordis4Handle(plugin.name ?? 'unnamed', this.ctx.plugin(plugin, config));
    this.#loaded.add(handle);
    try {
      await handle.fiber.await();
      if (handle.fiber.state === pendingState) throw waitingError(plugin);
    } catch (error) {
      await this.unload(handle);
      throw error;
    }
    return handle;
  }

  readonly provide = (service: string, value: object): Promise<PluginHandle> => this.load(servicePlugin(service, value));

  readonly unload = (handle: PluginHandle): Promise<void> => {
    if (!(handle instanceof Cordis4Handle)) throw new HostError('plugin-invalid', 'this handle is of another host');
    handle.unloaded ??= this.#end(handle);
    return handle.unloaded;
  };

  readonly dispose = (): Promise<void> => (this.#disposed ??= this.#disposeAll());

  async #end(handle: Cordis4Handle): Promise<void> {
    this.#loaded.delete(handle);
    await handle.fiber.dispose();
  }

  async #disposeAll(): Promise<void> {
    // Side by side, last one first: a server that takes long to end holds up no other (B19). The host's services go after them.
    const handles = [...this.#loaded].toReversed();
    await Promise.all(handles.filter((handle) => this.#guests.has(handle)).map(this.unload));
    for (const handle of handles) await this.unload(handle);
    await this.ctx.fiber.dispose();
  }
}

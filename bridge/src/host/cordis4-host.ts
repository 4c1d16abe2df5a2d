/**
 * The embedded host on Cordis 4 (`cordis` 4 and `@deepseek-ai/cordis` 4).
 */
import type { CordisContextClass } from './cordis-context.ts';
import { Cordis4Plugins } from './cordis4-plugins.ts';
import { mountedRegistry, type EmbeddedHost, type EmbeddedHostOptions } from './embedded-host.ts';
import { resolveHostConfig } from './host-config.ts';
import * as hostPlugin from './plugin.ts';

/**
 * Starts an embedded host on Cordis 4.
 * @param Context the class `Context` of `cordis` 4 or `@deepseek-ai/cordis` 4.
 * @throws HostError `host-config-invalid`, and `plugin-invalid` when that is no Cordis 4.
 */
export async function startCordis4Host(Context: CordisContextClass, options: EmbeddedHostOptions = {}): Promise<EmbeddedHost> {
  // Judged here, so that it fails with the same error in every version.
  const hostConfig = resolveHostConfig(options.host);
  const plugins = new Cordis4Plugins(Context, options.onLog);
  await plugins.mount(hostPlugin, hostConfig);
  const { ctx, load, unload, provide, dispose } = plugins;
  return { cordis: 4, ctx, tools: mountedRegistry(ctx), load, unload, provide, dispose };
}

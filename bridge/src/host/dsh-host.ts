/**
 * The DeepSeek Harness as a host in this process: its own registry, attachment store and model routes, assembled in
 * code from the packages that are handed in.
 */
import type { CordisContextClass } from './cordis-context.ts';
import { Cordis4Plugins } from './cordis4-plugins.ts';
import { DshRegistry } from './dsh-registry.ts';
import { dshModels, dshTools, type DshModelAdapter } from './dsh-services.ts';
import type { EmbeddedHost, EmbeddedHostOptions } from './embedded-host.ts';
import { describeError } from '../errors.ts';
import { resolveHostConfig, type HostConfig } from './host-config.ts';
import { HostError } from './host-error.ts';
import { StaticModelRoutes, type ModelRoute } from './model-routes.ts';

/** A package of the DeepSeek Harness, imported with `import * as`: its default export is the plugin. */
export interface DshPackage {
  readonly default: object;
}

/** The packages of one release of the DeepSeek Harness. */
export interface DshModules {
  /** `@deepseek-ai/cordis` 4. */
  readonly cordis: { readonly Context: CordisContextClass };
  /** `@deepseek-ai/dsh-system-prompt`, which the registry needs. */
  readonly systemPrompt: DshPackage;
  /** `@deepseek-ai/dsh-tools`. */
  readonly tools: DshPackage;
  /** `@deepseek-ai/dsh-attachment-local`; needed for `attachments`. */
  readonly attachments?: DshPackage;
  /** `@deepseek-ai/dsh-llm`; needed for `models`. */
  readonly llm?: DshPackage;
}

/** Options of such a host; those of the embedded registry do not apply. */
export interface DshHostOptions extends Pick<EmbeddedHostOptions, 'onLog'> {
  readonly host?: Pick<HostConfig, 'attachments' | 'models'>;
}

/**
 * Starts a host of the DeepSeek Harness. `attachments.directory` becomes its home folder, below which the store keeps
 * its own layout; `models` become routes of one adapter that answers lookups and generates nothing.
 * @throws HostError `host-config-invalid`, and `plugin-invalid` when a package is not what it should be.
 */
export async function startDshHost(modules: DshModules, options: DshHostOptions = {}): Promise<EmbeddedHost> {
  const { attachments, models } = resolveHostConfig(options.host);
  const plugins = new Cordis4Plugins(modules.cordis.Context, options.onLog);
  const { ctx, load, unload, provide, dispose } = plugins;
  if (attachments !== undefined) {
    const { directory, maxImageBytes, maxImages } = attachments;
    await plugins.mount(needed(modules.attachments, 'attachments'), { dshHome: directory, maxImageBytes, maxImagesPerMessage: maxImages });
  }
  if (models !== undefined) {
    await plugins.mount(needed(modules.llm, 'llm'));
    dshModels(ctx).registerAdapter([...new Set(models.map(({ provider }) => provider))], modelAdapter(models));
  }
  await plugins.mount(modules.systemPrompt.default);
  await plugins.mount(modules.tools.default);
  const report = (error: unknown): void => ctx.logger?.('dsh-host').warn(`a listener of the tool registry failed: ${describeError(error)}`);
  return { cordis: 4, ctx, tools: new DshRegistry(ctx, dshTools(ctx), report), load, unload, provide, dispose };
}

function needed(module: DshPackage | undefined, what: 'attachments' | 'llm'): object {
  if (module !== undefined) return module.default;
  throw new HostError('host-config-invalid', `the config asks for ${what === 'llm' ? 'models' : what}, and no package "${what}" of the DeepSeek Harness was handed in`);
}

function modelAdapter(models: readonly ModelRoute[]): DshModelAdapter {
  const routes = new StaticModelRoutes(models);
  return {
    providerInfo: (provider) => ({ id: provider, name: provider }),
    providerRetryPolicy: () => undefined,
    listModels: async () => [],
    resolveModel: async (provider, model, signal) => ({
      provider,
      id: model,
      name: model,
      ...(await routes.resolveModelInfo(provider, model, signal)),
    }),
  };
}

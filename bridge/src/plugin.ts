/**
 * Makes the plugin's namespace object from a set of stages.
 * @module
 */
import { configSchema, type ConfigSchema } from './config-schema.ts';
import { resolveConfig } from './config.ts';
import { onEarlyDispose } from './host-events.ts';
import type { HostContext } from './host-services.ts';
import { BridgeInstance } from './instance.ts';
import { referenceStages, type BridgeStages } from './stages.ts';

/** A namespace plugin, as every Cordis loads it (S10). */
export interface BridgePlugin {
  readonly name: string;
  /** `ctx.tools` is needed; attachments and model routes are looked up for each call. */
  readonly inject: string[];
  readonly Config: ConfigSchema;
  /** Cordis 3 then runs `apply` once for each instance rather than once for the package (S11). */
  readonly reusable: true;
  readonly apply: (ctx: HostContext, config: unknown) => Promise<void>;
}

/** The plugin with some of its stages replaced: the reference bridge, or a bridge with one defect. */
export function createBridgePlugin(overrides: Partial<BridgeStages> = {}): BridgePlugin {
  const stages: BridgeStages = { ...referenceStages, ...overrides };
  return {
    name: 'mcp-bridge',
    inject: ['tools'],
    Config: configSchema,
    reusable: true,
    // Async, since an ordinary function might be called with `new`; Cordis takes its promise as the end of activation.
    apply: async (ctx, value) => {
      const { config, warnings } = resolveConfig(value);
      const instance = new BridgeInstance(ctx, config, warnings, stages);
      ctx.effect(() => () => instance.dispose(), `mcp-bridge ${config.serverName}`);
      onEarlyDispose(ctx, () => instance.cancel());
      try {
        await instance.start();
      } catch (error) {
        await instance.dispose();
        throw error;
      }
    },
  };
}

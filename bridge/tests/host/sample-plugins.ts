/** Plugins for tests of the host. */
import type { HostContext } from '../../src/host-services.ts';
import type { HostedPlugin } from '../../src/host/embedded-host.ts';
import { textValue, tool } from './sample-tools.ts';

/** Registers one tool, named by its config. */
export const oneTool = {
  name: 'one-tool',
  inject: ['tools'],
  async apply(ctx: HostContext, config: { tool: string }): Promise<void> {
    await Promise.resolve();
    ctx.effect(() => ctx.tools.register(tool(config.tool, async () => textValue(config.tool))));
  },
} satisfies HostedPlugin;

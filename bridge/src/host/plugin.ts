/**
 * The embedded host as a Cordis plugin, for Cordis 3 and 4: mounts `ctx.tools` and, where configured,
 * `ctx.attachments` and `ctx.llm`. In `cordis.yml`:
 *
 *     - name: cordis-plugin-mcp-bridge/host
 *       config:
 *         attachments: { directory: ./attachments }
 *         models: [{ provider: acme, model: large, inputModalities: [text, image] }]
 */
import { describeError } from '../errors.ts';
import { LocalAttachmentStore } from './attachment-store.ts';
import { eventEmitter } from './change-event.ts';
import { isCordis4, mountService, type Cordis4Context, type CordisContext } from './cordis-context.ts';
import { printLogs } from './cordis4-logs.ts';
import { hostConfigSchema, resolveHostConfig, type HostConfig } from './host-config.ts';
import { StaticModelRoutes } from './model-routes.ts';
import type { ToolPolicy } from './policy.ts';
import { LocalToolRegistry } from './tool-registry.ts';

/** The plugin's name in logs. */
export const name = 'mcp-bridge-host';

/** The plugin's config schema. */
export const Config = hostConfigSchema;

/**
 * Mounts the services until the plugin ends, `ctx.tools` last. Emits `tools/change` inside each change and
 * `tools/settled` (with the revision) at the end of the job in which it changed, to whoever listens. In Cordis 4 a policy may also listen
 * to the waterfalls `tools/pre-execute` and `tools/post-execute`; in both versions there is `ctx.tools.use(policy)`.
 * @throws HostError `host-config-invalid`
 */
export async function apply(ctx: CordisContext, config?: HostConfig): Promise<void> {
  const { validateOutput, maxValueDepth, maxValues, attachments, models, ...rest } = resolveHostConfig(config);
  if (rest.printLogs) printLogs(ctx, (line) => process.stderr.write(line));
  const registry = new LocalToolRegistry({
    validateOutput,
    maxValueDepth,
    maxValues,
    onListenerError: (error) => ctx.logger?.(name).warn(`a listener of the tool registry failed: ${describeError(error)}`),
  });
  registry.onChange(eventEmitter(ctx, 'tools/change'));
  registry.onSettled(eventEmitter(ctx, 'tools/settled'));
  if (isCordis4(ctx)) registry.use(eventPolicy(ctx));
  if (attachments !== undefined) mountService(ctx, 'attachments', new LocalAttachmentStore(attachments));
  if (models !== undefined) mountService(ctx, 'llm', new StaticModelRoutes(models));
  mountService(ctx, 'tools', registry);
}

/** Policies that listen to events, as in the DeepSeek Harness. */
function eventPolicy(ctx: Cordis4Context): ToolPolicy {
  return {
    preExecute: (exec) => ctx.waterfall('tools/pre-execute', exec, () => Promise.resolve({ kind: 'allow' })),
    postExecute: (exec, result) => ctx.waterfall('tools/post-execute', exec, result, () => Promise.resolve({ kind: 'accept' })),
  };
}

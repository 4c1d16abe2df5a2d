/**
 * The embedded host, `cordis-plugin-mcp-bridge/host`: a small tool registry with its pipeline. As a module it is the
 * plugin that mounts `ctx.tools` (Cordis 3 and 4, also from `cordis.yml`); its parts are usable without Cordis, and
 * `startCordis3Host` and `startCordis4Host` make a whole host of a given Cordis.
 */
export { name, Config, apply } from './plugin.ts';
export type { HostConfig } from './host-config.ts';
export { LocalToolRegistry, type ToolRegistryOptions } from './tool-registry.ts';
export type { HostedRegistry, ToolSchema } from './hosted-registry.ts';
export type { ToolCall } from './execute-call.ts';
export { LocalAttachmentStore, type AttachmentStoreOptions, type StoredImageReference } from './attachment-store.ts';
export type { ImageMediaType } from '../image-type.ts';
export { StaticModelRoutes, type ModelRoute } from './model-routes.ts';
export type { PostToolDecision, PreToolDecision, ToolPolicy } from './policy.ts';
export { outcomeCodes } from './outcome.ts';
export { HostError, type HostErrorCode } from './host-error.ts';
export type { ChangeListener, SettledListener } from './change-notice.ts';
export type { CordisContext, CordisContextClass } from './cordis-context.ts';
export type { EmbeddedHost, EmbeddedHostOptions, HostedPlugin, HostLogRecord, PluginHandle } from './embedded-host.ts';
export { startCordis3Host } from './cordis3-host.ts';
export { startCordis4Host } from './cordis4-host.ts';
export { startDshHost, type DshHostOptions, type DshModules } from './dsh-host.ts';
export type {
  AttachmentStore,
  CallingAgent,
  ContentBlock,
  HostContext,
  HostLogger,
  ImageBlock,
  ImageInput,
  ImageReference,
  JsonObject,
  JsonValue,
  ModelRoutes,
  TextBlock,
  ToolDefinition,
  ToolExecution,
  ToolExecutionFailure,
  ToolExecutionResult,
  ToolExecutionSuccess,
  ToolOutput,
  ToolRegistry,
} from '../host-services.ts';

/**
 * The services of the DeepSeek Harness as this host uses them. Structural: its packages are handed in, none is imported.
 */
import type { ToolDefinition, ToolExecutionResult, ToolRegistry } from '../host-services.ts';
import type { Cordis4Context } from './cordis-context.ts';
import type { ToolCall } from './execute-call.ts';
import { HostError } from './host-error.ts';
import type { ToolSchema } from './hosted-registry.ts';

/** `ctx.tools` of `@deepseek-ai/dsh-tools`. */
export interface DshTools extends ToolRegistry {
  /** Copies, in registration order. */
  schemas(): readonly ToolSchema[];
  get(name: string): ToolDefinition | undefined;
  /** Never rejects. */
  execute(call: ToolCall): Promise<ToolExecutionResult>;
}

/** What answers for the models of some providers in `@deepseek-ai/dsh-llm`; only lookups are ever asked of it here. */
export interface DshModelAdapter {
  providerInfo(provider: string): { readonly id: string; readonly name: string };
  /** Undefined: the package's own policy. */
  providerRetryPolicy(provider: string): undefined;
  listModels(provider: string): Promise<readonly never[]>;
  resolveModel(
    provider: string,
    model: string,
    signal?: AbortSignal,
  ): Promise<{ readonly provider: string; readonly id: string; readonly name: string; readonly inputModalities?: readonly string[] }>;
}

/** `ctx.llm` of `@deepseek-ai/dsh-llm`. */
export interface DshModels {
  registerAdapter(providers: string[], adapter: DshModelAdapter): () => void;
}

/** The registry that the package mounted. @throws HostError `plugin-invalid` */
export function dshTools(ctx: Cordis4Context): DshTools {
  const tools = ctx.get('tools');
  if (isDshTools(tools)) return tools;
  throw notMounted('tools');
}

/** The model routes that the package mounted. @throws HostError `plugin-invalid` */
export function dshModels(ctx: Cordis4Context): DshModels {
  const models = ctx.get('llm');
  if (isDshModels(models)) return models;
  throw notMounted('llm');
}

function isDshTools(tools: unknown): tools is DshTools {
  return typeof tools === 'object' && tools !== null && 'register' in tools && 'schemas' in tools && 'execute' in tools;
}

function isDshModels(models: unknown): models is DshModels {
  return typeof models === 'object' && models !== null && 'registerAdapter' in models;
}

function notMounted(service: string): HostError {
  return new HostError('plugin-invalid', `what was handed in for "${service}" did not mount ctx.${service}; hand in the module of that package of the DeepSeek Harness`);
}

/**
 * What a host in this process offers of its tool registry, whatever registry that is.
 */
import type { JsonObject, ToolDefinition, ToolExecutionResult, ToolRegistry } from '../host-services.ts';
import type { ChangeListener, SettledListener } from './change-notice.ts';
import type { ToolCall } from './execute-call.ts';
import type { ToolPolicy } from './policy.ts';

/** What a model is told of a tool. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** The registry's own object or a copy of it: read it, do not write to it. */
  readonly parameters: JsonObject;
}

/** Holds tools in registration order, tells of changes, and runs calls. */
export interface HostedRegistry extends ToolRegistry {
  /** All definitions, in registration order. */
  list(): readonly ToolDefinition[];
  /** What a model is told, in registration order. */
  schemas(): readonly ToolSchema[];
  /** The definition of that name. */
  get(name: string): ToolDefinition | undefined;
  /** Counts single registrations and removals; never goes back. */
  readonly revision: number;
  /** Tells inside each registration and each removal. */
  onChange(listener: ChangeListener): () => void;
  /** Tells once at the end of each job in which the set changed: what is listed then is a settled set (S30). */
  onSettled(listener: SettledListener): () => void;
  /** Adds a policy around every call. @returns removes it again. */
  use(policy: ToolPolicy): () => void;
  /** Runs one call through the whole pipeline. Never rejects: every failure is an outcome with `isError: true`. */
  execute(call: ToolCall): Promise<ToolExecutionResult>;
}

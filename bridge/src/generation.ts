/**
 * The tools registered from one successful listing, and the swap from one set to the next (S27-S33).
 * @module
 */
import { renewSlot, sameDefinition, type BuiltTool } from './definitions.ts';
import { BridgeError, describeError } from './errors.ts';
import type { ToolRegistry } from './host-services.ts';
import type { ToolIdentity } from './server-directory.ts';

/** One registered tool. */
export interface RegisteredTool extends BuiltTool {
  /** Removes it from the registry. */
  readonly unregister: () => void;
}

/** What is registered now, in listing order. */
export type Generation = readonly RegisteredTool[];

/** What a swap works on. */
export interface SwapInput {
  readonly serverName: string;
  readonly registry: ToolRegistry;
  /** Public names in use by live instances, kept in step with the registry (S18). */
  readonly claims: Map<string, ToolIdentity>;
  readonly current: Generation;
  readonly next: readonly BuiltTool[];
  /** Told of a registry that fails to remove a tool; the swap goes on. */
  readonly onUnregisterFailed: (publicName: string, error: unknown) => void;
}

/** What a swap left behind. */
export interface SwapOutcome {
  /** What is registered now: the new set, or nothing after a conflict. */
  readonly generation: Generation;
  /** How many definitions stayed registered untouched. */
  readonly kept: number;
  /** Set when a foreign tool was in the way and the generation was rolled back (S32). */
  readonly conflict: BridgeError | undefined;
}

/**
 * Replaces one set by the next, synchronously, so that nobody but the registry's own callbacks sees a state between (S30).
 *
 * Definitions before the first difference stay registered: an unchanged list unregisters nothing (S33), and a prompt
 * keeps its longest prefix. From the first difference on everything is removed and the new tools are added in listing
 * order. A tool that cannot be added takes the whole generation with it (S32).
 */
export function swapGeneration(input: SwapInput): SwapOutcome {
  const { current, next } = input;
  const kept = commonPrefix(current, next);
  for (const tool of current.slice(kept).toReversed()) removeTool(input, tool);
  const generation: RegisteredTool[] = [];
  for (const [index, tool] of next.entries()) {
    const previous = index < kept ? current[index] : undefined;
    if (previous !== undefined) {
      renewSlot(previous.slot, tool.slot);
      generation.push(previous);
      continue;
    }
    try {
      const unregister = input.registry.register(tool.definition);
      input.claims.set(tool.slot.publicName, { serverName: input.serverName, rawName: tool.slot.rawName });
      generation.push({ definition: tool.definition, slot: tool.slot, unregister });
    } catch (error) {
      for (const registered of generation.toReversed()) removeTool(input, registered);
      return { generation: [], kept: 0, conflict: registryConflict(input.serverName, tool.slot.publicName, error) };
    }
  }
  return { generation, kept, conflict: undefined };
}

/** How many tools at the start of both lists look the same to the model. */
function commonPrefix(current: Generation, next: readonly BuiltTool[]): number {
  const different = next.findIndex(({ slot, definition }, index) => {
    const previous = current[index];
    return previous === undefined || previous.slot.rawName !== slot.rawName || !sameDefinition(previous.definition, definition);
  });
  return different === -1 ? next.length : different;
}

function removeTool(input: SwapInput, tool: RegisteredTool): void {
  const { publicName } = tool.slot;
  try {
    // Cordis 4 hands out an effect whose disposer may answer with a promise.
    const pending: unknown = tool.unregister();
    if (pending instanceof Promise) pending.catch((error: unknown) => input.onUnregisterFailed(publicName, error));
  } catch (error) {
    input.onUnregisterFailed(publicName, error);
  }
  input.claims.delete(publicName);
}

function registryConflict(serverName: string, publicName: string, cause: unknown): BridgeError {
  return new BridgeError(
    'registry-conflict',
    `MCP server "${serverName}": the tool "${publicName}" could not be registered (${describeError(cause)}), so none of this server's tools is available; remove the other tool of that name or choose another serverName`,
    { cause },
  );
}

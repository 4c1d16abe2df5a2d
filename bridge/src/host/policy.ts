/**
 * Policy around a call: what may run before the tool's body and after it.
 */
import type { ContentBlock, JsonValue, ToolExecution, ToolExecutionResult } from '../host-services.ts';

/** A decision before the body: run it or not. `ask` is a denial here, since this host has nobody to ask. */
export type PreToolDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason?: string };

/**
 * A decision after the body: keep the outcome, replace what the model sees, replace the canonical value (its content
 * is rendered anew), or turn the outcome into an error with corrective feedback.
 */
export type PostToolDecision =
  | { readonly kind: 'accept'; readonly content?: ContentBlock[]; readonly value?: never }
  | { readonly kind: 'accept'; readonly value: JsonValue; readonly content?: never }
  | { readonly kind: 'block'; readonly feedback: ContentBlock[] };

/**
 * Hooks of one policy. `undefined` is no opinion. A hook that throws fails the call with its error; it never fails
 * the registry.
 */
export interface ToolPolicy {
  /** Before the body, in the order of `use`; the first denial decides. */
  preExecute?(exec: ToolExecution): PreToolDecision | undefined | Promise<PreToolDecision | undefined>;
  /** After the body, in the order of `use`; each sees what the one before it left. */
  postExecute?(
    exec: ToolExecution,
    result: Readonly<ToolExecutionResult>,
  ): PostToolDecision | undefined | Promise<PostToolDecision | undefined>;
}

/** The reason of the first denial, or `undefined` when the call may run. */
export async function firstDenial(policies: readonly ToolPolicy[], exec: ToolExecution): Promise<string | undefined> {
  for (const policy of policies) {
    const decision = await policy.preExecute?.(exec);
    if (decision === undefined || decision.kind === 'allow') continue;
    return decision.reason ?? `the tool "${exec.name}" needs an approval, and this host has nobody to ask`;
  }
  return undefined;
}

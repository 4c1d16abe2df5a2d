/**
 * One policy in the registry that does, to each call, what the suite asked for that call.
 */
import type { CallRequest } from 'mcp-bridge-conformance/adapter';
import type { JsonValue, PostToolDecision, ToolPolicy } from 'cordis-plugin-mcp-bridge/host';
import type { Gates } from './gates.ts';

type AskedPolicy = NonNullable<CallRequest['policy']>;

/** Policies by call. */
export class CallPolicies {
  readonly #asked = new Map<string, AskedPolicy>();
  readonly #gates: Gates;

  constructor(gates: Gates) {
    this.#gates = gates;
  }

  /** What the registry is given, once. */
  readonly policy: ToolPolicy = {
    preExecute: ({ callId }) => {
      const asked = this.#asked.get(callId);
      return asked !== undefined && 'deny' in asked ? { kind: 'deny', reason: asked.deny } : undefined;
    },
    postExecute: async ({ callId, signal }) => {
      await this.#gates.pass('finalize', signal);
      const asked = this.#asked.get(callId);
      return asked === undefined ? undefined : decisionOf(asked);
    },
  };

  /** Applies to this call until it is forgotten. */
  set(callId: string, asked: AskedPolicy | undefined): void {
    if (asked !== undefined) this.#asked.set(callId, asked);
  }

  /** The call has settled. */
  forget(callId: string): void {
    this.#asked.delete(callId);
  }
}

/** A copy through text, which is JSON by construction. */
function jsonOf(value: unknown): JsonValue {
  const copy: JsonValue = JSON.parse(JSON.stringify(value));
  return copy;
}

function decisionOf(asked: AskedPolicy): PostToolDecision | undefined {
  if ('block' in asked) return { kind: 'block', feedback: [{ type: 'text', text: asked.block }] };
  if ('replaceContent' in asked) return { kind: 'accept', content: [{ type: 'text', text: asked.replaceContent }] };
  if ('replaceValue' in asked) return { kind: 'accept', value: jsonOf(asked.replaceValue) };
  return undefined;
}

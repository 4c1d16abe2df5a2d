/**
 * What the bridge did in each call, seen from inside: a registry may hide whether the body ran and what it threw, as
 * that of the DeepSeek Harness does. Observes only; the bridge behaves as without it.
 */
import { BridgeError, referenceStages, type BridgeStages } from 'cordis-plugin-mcp-bridge/internal';

/** The bridge's own part of one call. */
export interface CallBody {
  /** Set when it ended well. */
  returned: boolean;
  /** What it threw. */
  thrown?: BridgeError;
}

/** Bodies by the signal of their call: each call has a signal of its own. */
export class CallBodies {
  readonly #bodies = new WeakMap<AbortSignal, CallBody>();

  /** The stages, with the one that runs a call observed. */
  watch(stages: Partial<BridgeStages> = {}): Partial<BridgeStages> {
    const { callTool } = { ...referenceStages, ...stages };
    return {
      ...stages,
      callTool: async (input, all) => {
        const body: CallBody = { returned: false };
        if (input.signal !== undefined) this.#bodies.set(input.signal, body);
        try {
          const value = await callTool(input, all);
          body.returned = true;
          return value;
        } catch (error) {
          if (error instanceof BridgeError) body.thrown = error;
          throw error;
        }
      },
    };
  }

  /** The body of the call with that signal; `undefined` when it never began. */
  of(signal: AbortSignal): CallBody | undefined {
    return this.#bodies.get(signal);
  }
}
